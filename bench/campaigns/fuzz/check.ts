/**
 * What must hold of any outcome: of an error, of one result, and between the results of two backends for the same call.
 */

import { Status } from '../../../src/api/types.ts';
import { extentOf, type Description, type Scene } from './scene.ts';

/** How a call ended. */
export type Outcome = { value: unknown; error?: undefined } | { error: unknown; value?: undefined };

/** Codes that a call with any arguments may reject with, its signal apart. */
const REFUSALS = new Set(['INVALID_INPUT', 'LIMIT_EXCEEDED', 'OUT_OF_MEMORY', 'WEBGPU_UNAVAILABLE']);

/** What is wrong with an error, in words. */
export function faultsOfError(error: unknown, codes: ReadonlySet<string> = REFUSALS): string[] {
  const { name, code, message } = (error ?? {}) as { name?: string; code?: string; message?: string };
  if (name !== 'NarrowphaseError' || code === undefined || message === undefined)
    return [`a raw error: ${String(error)}`];
  if (!codes.has(code)) return [`an error of code ${code}: ${message}`];
  if (code === 'INVALID_INPUT' && !/^.+ (is|has) [^]*, expected [^]+$/.test(message))
    return [`a message that does not say what was expected: ${message}`];
  return [];
}

/** What is wrong with the pairs that `findPairs` gives, apart from where the bodies are. */
export function faultOfPairs(pairs: Uint32Array, { shapes, groups, fixed }: Scene['bodies']): string | undefined {
  const halves = (body: number): [membership: number, filter: number] => {
    const own = (groups as Uint32Array | undefined)?.[body] ?? 0xffffffff;
    return [own >>> 16, own & 0xffff];
  };
  for (let p = 0; p < pairs.length; p += 2) {
    const [a, b] = pairs.subarray(p, p + 2);
    const pair = `pair ${p / 2}, of bodies ${a} and ${b},`;
    if (!(a < b && b < shapes.length)) return `${pair} is not of two bodies, the lower first`;
    if (p > 0 && !(pairs[p - 2] < a || (pairs[p - 2] === a && pairs[p - 1] < b))) return `${pair} is out of order`;
    const [[memberA, filterA], [memberB, filterB]] = [halves(a), halves(b)];
    if ((memberA & filterB) === 0 || (memberB & filterA) === 0) return `${pair} has groups that do not meet`;
    const isFixed = (body: number): boolean => ((fixed as Uint8Array | undefined)?.[body] ?? 0) > 0;
    if (isFixed(a) && isFixed(b)) return `${pair} has two fixed bodies`;
  }
  return undefined;
}

export const REFUSED = REFUSALS;
export const ABORTED: ReadonlySet<string> = new Set([...REFUSALS, 'ABORTED']);
export const DISPOSED: ReadonlySet<string> = new Set([...REFUSALS, 'DISPOSED']);

export type Result = Record<string, Float32Array> & {
  count: number;
  statusCounts: readonly number[];
  pair: ArrayLike<number>;
  ray?: ArrayLike<number>;
  status: ArrayLike<number>;
};

/** Fields that may be infinite: times of what never meets. */
const TIMES = new Set(['time', 'unclampedTime']);

/** Vectors are as long as the tester has axes; `width` is of one slot, in units of 1 or of axes. */
const WIDTHS: Record<string, (axes: number) => number> = {
  normal: (axes) => axes,
  pointA: (axes) => axes,
  pointB: (axes) => axes,
  point: (axes) => axes,
  position: (axes) => 4 * axes,
  feature: () => 4,
};

/** What is wrong with the form of a result of `pairCount` pairs, or rays. */
export function faultsOfResult(
  method: string,
  result: Result,
  axes: number,
  pairCount: number,
  isAll: boolean,
): string[] {
  const faults: string[] = [];
  const { count, status, statusCounts } = result;
  // Rays have their index in place of a pair's.
  const pair = result.ray ?? result.pair;
  const total = statusCounts.reduce((sum, n) => sum + n, 0);
  if (total !== pairCount) faults.push(`statusCounts add up to ${total} for ${pairCount} pairs`);
  if (isAll ? count !== pairCount : count > pairCount) faults.push(`count is ${count} for ${pairCount} pairs`);
  for (let slot = 0; slot < count; slot++) {
    if (isAll ? pair[slot] !== slot : !(pair[slot] < pairCount && (slot === 0 || pair[slot] > pair[slot - 1])))
      faults.push(`pair[${slot}] is ${pair[slot]}`);
    if (!(status[slot] <= Status.CapacityExceeded)) faults.push(`status[${slot}] is ${status[slot]}`);
  }
  for (const [name, values] of Object.entries(result)) {
    if (!ArrayBuffer.isView(values)) continue;
    const width = method === 'manifolds' && name === 'distance' ? 4 : (WIDTHS[name]?.(axes) ?? 1);
    // `first` has an entry per body, not per slot.
    if (name === 'first') continue;
    for (let i = 0; i < count * width; i++) {
      if (Number.isNaN(values[i]) || (!Number.isFinite(values[i]) && !TIMES.has(name)))
        faults.push(`${name}[${i}] is ${values[i]}`);
    }
    if (name === 'normal') for (let slot = 0; slot < count; slot++) faults.push(...faultsOfNormal(values, slot, axes));
  }
  return faults.slice(0, 5);
}

function faultsOfNormal(normals: Float32Array, slot: number, axes: number): string[] {
  const length = Math.hypot(...Array.from(normals.subarray(axes * slot, axes * slot + axes)));
  return length === 0 || Math.abs(length - 1) <= 1e-5 ? [] : [`normal of slot ${slot} has length ${length}`];
}

/** Twice the tolerance of DESIGN: each of the two backends may be off by it. */
const TOLERANCES = { sharp: 1e-5, curved: 2e-4 };
/** The least normal number of f32: GPUs may take smaller ones for 0. */
const LEAST = 2 ** -126;
const CURVED = new Set(['cylinder', 'cone', 'ellipsoid']);

/** Where the signed distances or the statuses of two backends differ by more than both may. */
export function differences(
  method: string,
  first: Result,
  second: Result,
  scene: Scene,
  descriptionOf: (id: number) => Description,
  margin: number,
): string[] {
  const faults: string[] = [];
  const slots = new Map(Array.from({ length: second.count }, (_, slot) => [second.pair[slot], slot]));
  for (let slot = 0; slot < first.count; slot++) {
    const pair = first.pair[slot];
    const other = slots.get(pair);
    const { tolerance, size } = toleranceOf(pair, scene, descriptionOf);
    const d1 = distanceAt(method, first, slot);
    if (other === undefined) {
      if (d1 !== undefined && Math.abs(d1 - margin) > tolerance * size)
        faults.push(`pair ${pair} is missing on one backend, at distance ${d1}`);
      continue;
    }
    if (first.status[slot] === Status.NotConverged || second.status[other] === Status.NotConverged) continue;
    const d2 = distanceAt(method, second, other);
    if (d1 === undefined || d2 === undefined) continue;
    // Beyond the margin a lower bound will do.
    if (d1 > margin && d2 > margin) continue;
    if (!(Math.abs(d1 - d2) <= tolerance * Math.max(size, Math.abs(d1)) + LEAST))
      faults.push(`pair ${pair} has distances ${d1} and ${d2}, size ${size}`);
    else if (first.status[slot] !== second.status[other] && Math.abs(d1) > tolerance * size + LEAST)
      faults.push(`pair ${pair} has statuses ${first.status[slot]} and ${second.status[other]} at distance ${d1}`);
  }
  return faults.slice(0, 5);
}

function distanceAt(method: string, result: Result, slot: number): number | undefined {
  return (method === 'manifolds' ? result.contactDistance : result.distance)?.[slot];
}

function toleranceOf(
  pair: number,
  { dimension, bodies, pairs }: Scene,
  descriptionOf: (id: number) => Description,
): { tolerance: number; size: number } {
  const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
  const { shapes, positions, matrices, scales } = bodies as Scene['bodies'] &
    Record<'positions' | 'matrices' | 'scales', Float32Array | undefined>;
  const place = (body: number, k: number): number =>
    matrices ? matrices[16 * body + 12 + k] : positions![dimension * body + k];
  const both = [a, b].map((body) => descriptionOf(shapes[body]));
  const extents = both.map((description, i) => extentOf(description) * (scales?.[[a, b][i]] ?? 1));
  const gap = Math.hypot(...Array.from({ length: dimension }, (_, k) => place(b, k) - place(a, k)));
  const tolerance = both.some(({ type }) => CURVED.has(type)) ? TOLERANCES.curved : TOLERANCES.sharp;
  return { tolerance, size: Math.max(extents[0] + extents[1], gap) };
}
