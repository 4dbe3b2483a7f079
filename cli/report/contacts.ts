/** The contacts of a report: one per hit, in ascending order of pair index. */

import type { Scene } from '../scene/scene.ts';
import type { Answer } from '../../verification/engines/engine.ts';
import { shortestOfF32 } from './decimal.ts';
import { STATUS_NAMES } from './report-header.ts';
import type { Allowance, StatusName } from './report-header.ts';

/** One hit. Fields from `distance` on depend on the query. */
export interface ReportContact {
  /** Index into the candidate pairs. */
  pair: number;
  /** Body indices, and names of bodies that have one. */
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
  /** Why the pair does not fail the check although it isn't separated. */
  allowed?: Allowance;
  /** The tolerance does not allow the overlap, as its distance is only a bound: the bodies may be deeper. */
  bound?: true;
}

/** The data that contacts are made from: the scene and pairs they refer to, and the engine's answer. */
export interface Hits {
  scene: Scene;
  pairs: Uint32Array;
  answer: Answer;
  /** The overlaps that are allowed, if any. */
  rules?: Rules;
  /** Slots of overlaps within the tolerance whose distance is only a bound. */
  bounds?: ReadonlySet<number>;
}

export interface Rules {
  isAllowedPair: (a: number, b: number) => boolean;
  tolerance?: number;
}

/** Compares the reported depth with the tolerance, so that readers of the report can repeat the comparison. */
export function allowanceAt({ pairs, answer, rules, bounds }: Hits, slot: number): Allowance | undefined {
  const status = STATUS_NAMES[answer.status[slot]];
  if (!rules || status === 'separated') return undefined;
  const pair = answer.pair[slot];
  if (rules.isAllowedPair(pairs[2 * pair], pairs[2 * pair + 1])) return 'pair';
  if (bounds?.has(slot)) return undefined;
  const distance = answer.distance && element(answer.distance, slot);
  return status === 'overlapping' && isWithin(rules.tolerance, distance) ? 'tolerance' : undefined;
}

/** Whether the tolerance would allow an overlap if its distance were exact. Pairs that the scene allows need no tolerance. */
function isBound(hits: Hits, slot: number): boolean {
  return hits.bounds?.has(slot) === true && allowanceAt(hits, slot) === undefined;
}

/** Whether an overlap is known to be no deeper than the tolerance. */
export function isWithin(tolerance: number | undefined, distance: number | undefined): boolean {
  return tolerance !== undefined && distance !== undefined && -distance <= tolerance;
}

/** The hit in one slot of the answer. */
export function contactAt(hits: Hits, slot: number): ReportContact {
  const { scene, pairs, answer } = hits;
  const pair = answer.pair[slot];
  const a = pairs[2 * pair];
  const b = pairs[2 * pair + 1];
  return {
    pair,
    a,
    b,
    nameA: scene.bodyNames.get(a),
    nameB: scene.bodyNames.get(b),
    shapeA: scene.shapes[scene.bodies.shapes[a]].type,
    shapeB: scene.shapes[scene.bodies.shapes[b]].type,
    status: STATUS_NAMES[answer.status[slot]],
    distance: answer.distance && element(answer.distance, slot),
    normal: answer.normal && vector(answer.normal, slot),
    pointA: answer.pointA && vector(answer.pointA, slot),
    pointB: answer.pointB && vector(answer.pointB, slot),
    featureA: answer.featureA?.[slot],
    featureB: answer.featureB?.[slot],
    iterations: answer.iterations?.[slot],
    allowed: allowanceAt(hits, slot),
    ...(isBound(hits, slot) && { bound: true }),
  };
}

/** Equal to `JSON.stringify(contactAt(hits, slot))`, but several times as fast. */
export function contactLine(hits: Hits, slot: number): string {
  const { scene, pairs, answer } = hits;
  const pair = answer.pair[slot];
  const a = pairs[2 * pair];
  const b = pairs[2 * pair + 1];
  const { shapes, bodies, bodyNames } = scene;
  const nameA = bodyNames.get(a);
  const nameB = bodyNames.get(b);
  const { distance, normal, pointA, pointB, featureA, featureB, iterations } = answer;
  let line = `{"pair":${pair},"a":${a},"b":${b},`;
  if (nameA !== undefined) line += `"nameA":${JSON.stringify(nameA)},`;
  if (nameB !== undefined) line += `"nameB":${JSON.stringify(nameB)},`;
  line += `"shapeA":"${shapes[bodies.shapes[a]].type}","shapeB":"${shapes[bodies.shapes[b]].type}",`;
  line += `"status":"${STATUS_NAMES[answer.status[slot]]}"`;
  if (distance) line += `,"distance":${numberText(element(distance, slot))}`;
  if (normal) line += `,"normal":${vectorText(normal, slot)}`;
  if (pointA) line += `,"pointA":${vectorText(pointA, slot)}`;
  if (pointB) line += `,"pointB":${vectorText(pointB, slot)}`;
  if (featureA) line += `,"featureA":${featureA[slot]}`;
  if (featureB) line += `,"featureB":${featureB[slot]}`;
  if (iterations) line += `,"iterations":${iterations[slot]}`;
  const allowed = allowanceAt(hits, slot);
  if (allowed) line += `,"allowed":"${allowed}"`;
  if (isBound(hits, slot)) line += ',"bound":true';
  return `${line}}`;
}

type Floats = Float32Array | Float64Array;

function vectorText(array: Floats, slot: number): string {
  const x = numberText(element(array, 3 * slot));
  const y = numberText(element(array, 3 * slot + 1));
  const z = numberText(element(array, 3 * slot + 2));
  return `[${x},${y},${z}]`;
}

/** JSON has no NaN and no infinity. Like `JSON.stringify`, this writes null. */
function numberText(x: number): string {
  return Number.isFinite(x) ? `${x}` : 'null';
}

function vector(array: Floats, slot: number): number[] {
  return [element(array, 3 * slot), element(array, 3 * slot + 1), element(array, 3 * slot + 2)];
}

/** An element of an array. For an f32 array, the shortest decimal that rounds to the same f32. */
function element(array: Floats, index: number): number {
  return array instanceof Float64Array ? array[index] : shortestOfF32(array[index]);
}

/** A contact's place in the order of distances. Allowed contacts come after all others. */
export function rankOf(distance: number | undefined, allowance: Allowance | undefined): number {
  return allowance === undefined ? (distance ?? 0) : Infinity;
}

/**
 * Keeps the `limit` items of the smallest distance; those for which `isFirst` is true come before all others. Among
 * equals the earlier items stay, so if `distanceOf` always returns 0, the first ones do.
 */
export function keepClosest<Item>(
  limit: number,
  distanceOf: (item: Item) => number,
  isFirst: (item: Item) => boolean = () => true,
) {
  const kept: Item[] = [];
  const cut = (): void => {
    // The sort is stable.
    kept.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || compare(distanceOf(a), distanceOf(b)));
    kept.length = Math.min(kept.length, limit);
  };
  return {
    add(item: Item): void {
      kept.push(item);
      if (kept.length >= 2 * limit + 1000) cut();
    },
    items(): Item[] {
      cut();
      return kept;
    },
  };
}

/** Also handles infinite numbers. */
function compare(x: number, y: number): number {
  return x < y ? -1 : Number(x > y);
}
