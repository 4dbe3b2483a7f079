/** Poses that the kernels pack, beside those of the host. */

import { validateBodies } from '../../src/request/validate-bodies.ts';
import { REPORT_BODY } from '../../src/generated/constants.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import type { InputKernels } from './input-kernels.ts';

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

/** The lowest index in a word of the report; undefined if there is none. */
export function indexIn(report: Uint32Array, word: number): number | undefined {
  return report[word] === 0 ? undefined : ~report[word] >>> 0;
}

export interface PackedBodyCheck {
  /** Bodies that the kernel suspects, ascending. */
  suspicious: number[];
  /** Bodies that are not suspicious, and whose poses are not those of the host up to the rounding of rotations. */
  wrong: number[];
  /** The greatest difference of a rotation's numbers from those of the host. */
  greatest: number;
}

/** Largest difference of a quaternion's components: one unit of the last place of 1. Angles are the host's. */
const QUATERNION_ROUNDING = 2 ** -23;

/** Packs the bodies in the kernel, and again from each suspicious body on, since a report names only the first. */
export async function checkBodies(
  kernels: InputKernels,
  bodies: AnyBodies,
  table: ShapeTable,
  dimension: Dimension,
): Promise<PackedBodyCheck> {
  const count = bodies.shapes.length;
  const { poseWords } = dimension;
  const { poses: expected } = packBodies(bodies, dimension);
  const check: PackedBodyCheck = { suspicious: [], wrong: [], greatest: 0 };
  for (let first = 0; first < count;) {
    const packed = await kernels.packBodies(sliceBodies(bodies, first, count), table, dimension);
    const end = first + (indexIn(packed.report, REPORT_BODY) ?? count - first);
    if (end < count) check.suspicious.push(end);
    for (let body = first; body < end; body++) {
      const found = packed.poses.subarray(poseWords * (body - first), poseWords * (body - first + 1));
      const wanted = expected.subarray(poseWords * body, poseWords * (body + 1));
      const difference = rotationDifference(new Float32Array(found.slice().buffer), wanted);
      if (!(difference <= (poseWords === 8 ? QUATERNION_ROUNDING : 0)) || !isSamePlace(found, wanted))
        check.wrong.push(body);
      else check.greatest = Math.max(check.greatest, difference);
    }
    first = end + 1;
  }
  return check;
}

/** Words of a pose that are copied: those of the position and of the scale. */
const COPIED: Readonly<Record<number, readonly number[]>> = { 8: [0, 1, 2, 3], 4: [0, 1, 3] };

function isSamePlace(found: Uint32Array, pose: Float32Array): boolean {
  const wanted = new Uint32Array(pose.slice().buffer);
  return COPIED[pose.length].every((word) => found[word] === wanted[word]);
}

function rotationDifference(found: Float32Array, wanted: Float32Array): number {
  if (wanted.length === 8) return Math.max(...[4, 5, 6, 7].map((word) => Math.abs(found[word] - wanted[word])));
  return Math.abs(found[2] - wanted[2]);
}
