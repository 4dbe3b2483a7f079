/** Poses that the kernels pack, beside those of the host. */

import { validateBodies } from '../../src/request/validate-bodies.ts';
import { VERDICT_BODY, VERDICT_EXCEPTION_COUNT } from '../../src/generated/constants.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import { exceptionsOf, type InputKernels } from './input-kernels.ts';

/** Bodies from `first` to `end`, the latter not included. */
export function sliceBodies<Bodies extends AnyBodies>(bodies: Bodies, first: number, end: number): Bodies {
  const count = bodies.shapes.length;
  const slices = Object.entries(bodies).map(([name, values]: [string, Float32Array | undefined]) => {
    const width = (values?.length ?? 0) / count;
    return [name, values?.slice(width * first, width * end)];
  });
  return Object.fromEntries(slices) as Bodies;
}

/** Whether the host's validation refuses all bodies because of at least one. */
export function isRefused(bodies: AnyBodies, table: ShapeTable, dimension: Dimension): boolean {
  try {
    validateBodies(bodies, table, dimension);
    return false;
  } catch {
    return true;
  }
}

/** The lowest index in a word of the verdict; undefined if there is none. */
export function indexIn(verdict: Uint32Array, word: number): number | undefined {
  return verdict[word] === 0 ? undefined : ~verdict[word] >>> 0;
}

export interface PackedBodyCheck {
  /** Bodies that the kernel suspects, ascending. */
  suspicious: number[];
  /** How many bodies the kernel leaves to the host. */
  exceptions: number;
  /** Bodies whose poses are not those of the host, though they are neither suspicious nor exceptions. */
  wrong: number[];
}

/** Packs the bodies in the kernel, and again from each suspicious body on, since a verdict names only the first. */
export async function checkBodies(
  kernels: InputKernels,
  bodies: AnyBodies,
  table: ShapeTable,
  dimension: Dimension,
): Promise<PackedBodyCheck> {
  const count = bodies.shapes.length;
  const { poseWords } = dimension;
  const poses = new Float32Array(poseWords * count);
  dimension.packPoses(bodies, poses);
  const expected = new Uint32Array(poses.buffer);
  const check: PackedBodyCheck = { suspicious: [], exceptions: 0, wrong: [] };
  for (let first = 0; first < count;) {
    const packed = await kernels.packBodies(sliceBodies(bodies, first, count), table, dimension);
    const end = first + (indexIn(packed.verdict, VERDICT_BODY) ?? count - first);
    if (end < count) check.suspicious.push(end);
    const exceptions = exceptionsOf(packed.verdict);
    if (exceptions.length < packed.verdict[VERDICT_EXCEPTION_COUNT])
      throw new Error(`${packed.verdict[VERDICT_EXCEPTION_COUNT]} exceptions in ${count - first} bodies`);
    const left = new Set(exceptions.map((body) => first + body));
    for (let body = first; body < end; body++) {
      if (left.has(body)) check.exceptions++;
      else if (!hasPose(packed.poses, body - first, expected, body, poseWords)) check.wrong.push(body);
    }
    first = end + 1;
  }
  return check;
}

function hasPose(found: Uint32Array, at: number, expected: Uint32Array, body: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (found[words * at + word] !== expected[words * body + word]) return false;
  return true;
}
