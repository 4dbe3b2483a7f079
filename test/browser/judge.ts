/** What is wrong with the answers of a query, the true distances being known. */

import { Status } from '../../src/types.ts';
import type { Contacts, Distances, Intersections } from '../../src/types.ts';

/** What is known of a pair. */
export interface Known {
  /** True signed distance. */
  truth: number;
  /** max(s, |B - A|): what tolerances are shares of. */
  size: number;
}

/** Errors as shares of the size. */
export interface Tolerance {
  /** Of what is judged, its reference's own error included. */
  distance: number;
  /** Of the reference. */
  reference: number;
}

export function judgeIntersection(found: Intersections, slot: number, margin: number, { truth, size }: Known, tolerance: Tolerance): string[] {
  const t = tolerance.distance * size;
  const hit = found.hit[slot];
  const faults = judgeStatus(found.status[slot], truth, t);
  if (Math.abs(truth - margin) > t && (hit === 1) !== truth <= margin) faults.push(`hit ${hit} at distance ${truth}, margin ${margin}`);
  return faults;
}

/** `isResolved`: overlapping pairs have their penetration (`contacts`); otherwise zeros (`distances`). */
export function judgeDistance(found: Contacts | Distances, isResolved: boolean, slot: number, margin: number, known: Known, tolerance: Tolerance): string[] {
  const { truth, size } = known;
  const t = tolerance.distance * size;
  const distance = found.distance[slot];
  const [n, pointA, pointB] = [found.normal, found.pointA, found.pointB].map((array) => Array.from(array.subarray(3 * slot, 3 * slot + 3)));
  const points = [...pointA, ...pointB];
  const faults = judgeStatus(found.status[slot], truth, t);
  if (!isResolved && found.status[slot] === Status.Overlapping) {
    if ([distance, ...n, ...points].some((value) => value !== 0)) faults.push(`overlap with distance ${distance}, normal ${n}, points ${points}`);
    return faults;
  }
  // Beyond the margin a lower bound will do, and its points are zero.
  const isEarly = distance > margin && points.every((value) => value === 0);
  if (!(distance <= truth + t && (isEarly || distance >= truth - t))) faults.push(`distance ${distance}, reference ${truth}, tolerance ${t}`);
  if (!(Math.abs(Math.hypot(...n) - 1) <= 1e-5)) faults.push(`normal ${n}`);
  const leap = Math.hypot(...n.map((component, axis) => pointB[axis] - pointA[axis] - distance * component));
  // Points are rounded to f32.
  if (!isEarly && !(leap <= t + 2 ** -22 * Math.hypot(...pointA))) faults.push(`pointB is ${leap} from pointA + distance · normal, tolerance ${t}`);
  return faults;
}

export function judgeBounds({ lower, upper }: Contacts, slot: number, { truth, size }: Known, tolerance: Tolerance): string[] {
  const slack = tolerance.reference * size;
  return lower![slot] <= truth + slack && upper![slot] >= truth - slack ? [] : [`bounds ${lower![slot]} and ${upper![slot]} of ${truth}`];
}

/** Right wherever the true distance is more than `t` from 0, and either of the two elsewhere. */
function judgeStatus(status: number, truth: number, t: number): string[] {
  const right = truth > 0 ? Status.Separated : Status.Overlapping;
  const isFound = status === Status.Separated || status === Status.Overlapping;
  return status === right || (isFound && Math.abs(truth) <= t) ? [] : [`status ${status} at distance ${truth}, tolerance ${t}`];
}
