/** The report of `narrowphase run`: plain facts, and the hits one by one. Its JSON form is what `--format json` prints. */

import type { QueryName } from '../pack/results.ts';
import { Status } from '../types.ts';
import type { AdapterDescription, QueryTimings, StatusCounts } from '../types.ts';
import type { Agreement } from './agreement.ts';
import type { Answer } from './engines.ts';
import type { Scene } from '../scene/scene.ts';

/** Names of the statuses in reports, by `Status`. */
export const STATUS_NAMES = ['separated', 'overlapping', 'notConverged', 'invalidInput', 'capacityExceeded'] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

/** Milliseconds of one call of the query: all of it, and the parts that the tester tells apart. */
export interface CallTimings extends QueryTimings {
  total: number;
}

/** Everything in a report but its contacts. All times are in milliseconds. */
export interface RunFacts {
  /** Of the report's format. */
  version: 1;
  /** Program and version that wrote it. */
  generator: string;
  scene: {
    /** As given on the command line. */
    file: string;
    name: string;
    bodies: number;
    /** Bodies by the type of their shape. */
    bodiesByType: Record<string, number>;
    /** Shapes by type. */
    shapesByType: Record<string, number>;
    /** Where the candidate pairs come from. */
    pairs: 'listed' | 'all' | 'broad-phase';
  };
  query: {
    name: QueryName;
    /** null: infinite, so that every pair counts as a hit. */
    margin: number | null;
  };
  engine: {
    name: string;
    backend: 'webgpu' | 'cpu';
    adapter: AdapterDescription;
    /** Why the CPU was taken although WebGPU was preferred; null otherwise. */
    fallback: string | null;
  };
  candidatePairs: number;
  hits: number;
  /** Over all candidate pairs. */
  statusCounts: Record<StatusName, number>;
  /** Of `--fail-on-overlap`: passes if every pair is known to be separated; null where it was not asked for. */
  check: { passed: boolean; overlapping: number; unanswered: number } | null;
  timings: {
    /** Reading and checking the scene. */
    load: number;
    /** Making the candidate pairs. */
    pairs: number;
    /** Starting the engine and handing it the shapes. */
    engine: number;
    /** The query with all that happens only once, such as compilation. */
    firstCall: CallTimings;
    /** The same query again. */
    secondCall: CallTimings;
  };
  /** null where the engine is itself the reference. */
  agreement: Agreement | null;
}

/** One hit. Fields from `distance` on depend on the query. */
export interface ReportContact {
  /** Index into the candidate pairs. */
  pair: number;
  /** Body indices, and names where bodies have one. */
  a: number;
  b: number;
  nameA?: string;
  nameB?: string;
  shapeA: string;
  shapeB: string;
  status: StatusName;
  distance?: number;
  normal?: number[];
  pointA?: number[];
  pointB?: number[];
  featureA?: number;
  featureB?: number;
  iterations?: number;
}

/** The report's hits: the scene and pairs they refer to, and the engine's answer. */
export interface ReportHits {
  scene: Scene;
  pairs: Uint32Array;
  answer: Answer;
}

/** How often each type occurs among `shapes`, in order of first appearance in the scene. */
export function countByType(scene: Scene, shapes: ArrayLike<number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of scene.shapes) counts[type] = 0;
  for (let i = 0; i < shapes.length; i++) counts[scene.shapes[shapes[i]].type]++;
  return counts;
}

export function namedStatusCounts(counts: StatusCounts): Record<StatusName, number> {
  return Object.fromEntries(STATUS_NAMES.map((name, status) => [name, counts[status]])) as Record<StatusName, number>;
}

/** Whether a run passes `--fail-on-overlap`: pairs without an answer do not count as free of overlap. */
export function checkOverlap(counts: StatusCounts): NonNullable<RunFacts['check']> {
  const overlapping = counts[Status.Overlapping];
  const unanswered = counts[Status.NotConverged] + counts[Status.InvalidInput] + counts[Status.CapacityExceeded];
  return { passed: overlapping + unanswered === 0, overlapping, unanswered };
}

/** The hit in one slot of the answer. */
export function contactAt({ scene, pairs, answer }: ReportHits, slot: number): ReportContact {
  const pair = answer.pair[slot];
  const a = pairs[2 * pair];
  const b = pairs[2 * pair + 1];
  const vector = (array: Float32Array | Float64Array | undefined): number[] | undefined =>
    array && [0, 1, 2].map((k) => decimal(array, 3 * slot + k));
  return {
    pair,
    a,
    b,
    nameA: scene.bodyNames.get(a),
    nameB: scene.bodyNames.get(b),
    shapeA: scene.shapes[scene.bodies.shapes[a]].type,
    shapeB: scene.shapes[scene.bodies.shapes[b]].type,
    status: STATUS_NAMES[answer.status[slot]],
    distance: answer.distance && decimal(answer.distance, slot),
    normal: vector(answer.normal),
    pointA: vector(answer.pointA),
    pointB: vector(answer.pointB),
    featureA: answer.featureA?.[slot],
    featureB: answer.featureB?.[slot],
    iterations: answer.iterations?.[slot],
  };
}

/** An element of an array; of an f32 one, the shortest number that rounds to the same f32. */
function decimal(array: Float32Array | Float64Array, index: number): number {
  if (array instanceof Float64Array) return array[index];
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(array[index].toPrecision(digits));
    if (Math.fround(short) === array[index]) return short;
  }
  return Number(array[index].toPrecision(9));
}

/** Slots of the `limit` smallest distances, ascending; the first slots where the query gives no distance. */
export function closestSlots(answer: Answer, limit: number): number[] {
  const { distance } = answer;
  const slots = Uint32Array.from({ length: answer.count }, (_, slot) => slot);
  if (distance) slots.sort((i, j) => distance[i] - distance[j] || i - j);
  return Array.from(slots.subarray(0, limit));
}

/** The report as JSON text, in pieces: the facts, then `contacts`, one a line. */
export function* reportJson(facts: RunFacts, hits: ReportHits): Generator<string> {
  yield `${JSON.stringify(facts, null, 2).slice(0, -2)},\n  "contacts": [`;
  const linesPerPiece = 512;
  for (let start = 0; start < hits.answer.count; start += linesPerPiece) {
    const end = Math.min(start + linesPerPiece, hits.answer.count);
    let piece = '';
    for (let slot = start; slot < end; slot++) piece += `${slot > 0 ? ',' : ''}\n    ${JSON.stringify(contactAt(hits, slot))}`;
    yield piece;
  }
  yield '\n  ]\n}\n';
}
