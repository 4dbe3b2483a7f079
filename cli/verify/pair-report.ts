/** The full data of a pair in a report: enough to judge it by eye and to run it again. */

import type { Vec3 } from '../../src/cpu/math.ts';
import type { Scene } from '../scene/scene.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Answer } from '../../verification/engines/engine.ts';
import { STATUS_NAMES } from '../report/report-header.ts';
import type { StatusName } from '../report/report-header.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import type { FaultKind, Quantity } from '../../verification/judges/faults.ts';
import type { Terms } from '../../verification/judges/contact.ts';
import { askReference } from '../../verification/judges/reference.ts';
import type { Reference } from '../../verification/judges/reference.ts';

/** The answer for one pair, by an engine or by the reference. Numbers are not rounded; f32 is widened to double. */
export interface PairValues {
  status: StatusName;
  distance?: number;
  normal?: number[];
  /** World coordinates. */
  pointA?: number[];
  pointB?: number[];
  lower?: number;
  upper?: number;
  /** `kind << 30 | index` */
  featureA?: number;
  featureB?: number;
  iterations?: number;
}

/** A judged pair without its bodies, kept until all pairs are judged. */
export interface PairReport {
  /** Index into the candidate pairs. */
  pair: number;
  /** max(s, |B - A|) */
  size: number;
  faults: FaultKind[];
  /** Errors as shares of `size`; null if there was nothing to measure. */
  errors: Record<Quantity, number | null>;
  /** null: the engine gave no answer. `isListed`: the pair is among the hits. */
  engine: (PairValues & { isListed: boolean }) | null;
  reference: PairValues;
}

export interface Body {
  index: number;
  name?: string;
  shape: ShapeDescription;
  position: number[];
  /** x, y, z, w */
  quaternion: number[];
  scale: number;
}

/** A pair with its bodies and its query. */
export interface WorstPair extends PairReport {
  a: Body;
  b: Body;
  query: string;
  /** null: infinite. */
  margin: number | null;
}

/** Evaluates the reference again, since the judge may have used another source. */
export function makePairReport({
  pair,
  reference,
  answer,
  slot,
  isListed,
  verdict: { faults, errors },
}: JudgedAnswer): PairReport {
  return {
    pair,
    size: reference.size,
    faults: [...faults],
    errors: { distance: measured(errors.distance), normal: measured(errors.normal), points: measured(errors.points) },
    engine: answer && { ...engineValues(answer, slot), isListed },
    reference: referenceValues(reference),
  };
}

function measured(error: number): number | null {
  return Number.isNaN(error) ? null : error;
}

function engineValues(answer: Answer, slot: number): PairValues {
  const number = (array: ArrayLike<number> | undefined): number | undefined => array?.[slot];
  const vector = (array: ArrayLike<number> | undefined): number[] | undefined =>
    array && [0, 1, 2].map((k) => array[3 * slot + k]);
  return {
    status: STATUS_NAMES[answer.status[slot]],
    distance: number(answer.distance),
    normal: vector(answer.normal),
    pointA: vector(answer.pointA),
    pointB: vector(answer.pointB),
    lower: number(answer.lower),
    upper: number(answer.upper),
    featureA: number(answer.featureA),
    featureB: number(answer.featureB),
    iterations: number(answer.iterations),
  };
}

function referenceValues(reference: Reference): PairValues {
  const { origin } = reference;
  const { status, distance, normal, pointA, pointB, lower, upper, featureA, featureB, iterations } =
    askReference(reference);
  const inWorld = ({ x, y, z }: Vec3): number[] => [origin.x + x, origin.y + y, origin.z + z];
  return {
    status: STATUS_NAMES[status],
    distance,
    normal: [normal.x, normal.y, normal.z],
    pointA: inWorld(pointA),
    pointB: inWorld(pointB),
    lower,
    upper,
    featureA,
    featureB,
    iterations,
  };
}

export function bodyOf({ shapes, bodies, bodyNames }: Scene, index: number): Body {
  return {
    index,
    name: bodyNames.get(index),
    shape: shapes[bodies.shapes[index]],
    position: Array.from(bodies.positions.subarray(3 * index, 3 * index + 3)),
    quaternion: Array.from(bodies.quaternions.subarray(4 * index, 4 * index + 4)),
    scale: bodies.scales[index],
  };
}

export function worstPair(
  pairReport: PairReport,
  scene: Scene,
  pairs: Uint32Array,
  { query, margin }: Terms,
): WorstPair {
  const a = bodyOf(scene, pairs[2 * pairReport.pair]);
  const b = bodyOf(scene, pairs[2 * pairReport.pair + 1]);
  return { ...pairReport, a, b, query, margin: margin === Infinity ? null : margin };
}
