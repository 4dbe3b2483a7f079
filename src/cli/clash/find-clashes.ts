/** Asks an engine about the candidate pairs, chunk by chunk, and keeps the clashes. */

import { Status } from '../../api/types.ts';
import type { Scene } from '../../scene/scene.ts';
import type { CallTimings, Engine } from '../../../verification/engines/engine.ts';
import { askInChunks, type Range } from '../chunked-query.ts';
import { joinColumns } from '../columns.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import { STATUS_NAMES, type StatusName } from '../report/report-header.ts';
import type { Candidates } from './candidates.ts';
import { CATEGORIES, SOURCES } from './categories.ts';
import { createClassifier } from './classify.ts';
import type { Limits } from './rules.ts';
import {
  createSecondOpinion,
  isOpen,
  marginAllowance,
  type ContactAnswer,
  type SecondOpinion,
} from './second-opinion.ts';

/** Clashes as a structure of arrays, in ascending order of pair. */
export interface ClashColumns {
  pair: Uint32Array;
  /** Indices into `CATEGORIES` and `SOURCES`. */
  category: Uint8Array;
  source: Uint8Array;
  /** 1: A is inside B. 2: B is inside A. Otherwise 0. */
  inside: Uint8Array;
  distance: Float32Array;
  /** 3 numbers per clash. */
  normal: Float32Array;
  point: Float64Array;
}

export interface Search {
  scene: Scene;
  engine: Engine;
  candidates: Candidates;
  /** Of each rule. */
  limits: readonly Limits[];
  /** The pairs to ask about. */
  range: Range;
}

export interface SearchResult {
  clashes: ClashColumns;
  unanswered: { pair: number; status: StatusName }[];
  timings: CallTimings;
}

/** The greatest distance at which a pair can be a clash. */
export function marginOf(limits: readonly Limits[]): number {
  return limits.reduce((most, { tolerance, clearance }) => Math.max(most, tolerance, clearance ?? 0), 0);
}

/** The engine has loaded the scene. `onProgress` receives the number of pairs that are done. */
export async function findClashes(search: Search, onProgress: (pairs: number) => void): Promise<SearchResult> {
  const { scene, engine, candidates, limits, range } = search;
  const margin = marginOf(limits);
  const question = {
    query: 'contacts',
    pairs: candidates.pairs,
    margin: margin + marginAllowance(scene, margin),
    results: 'hits',
  } as const;
  const timings: CallTimings = { total: 0, compile: 0, kernels: 0, readBack: 0 };
  const parts: ClashColumns[] = [];
  const unanswered: SearchResult['unanswered'] = [];
  const opinion = createSecondOpinion(scene);
  const keep = createKeeper(search, unanswered);
  try {
    for await (const chunk of askInChunks(engine, question, range)) {
      const answer = await settle(chunk.answer as ContactAnswer, chunk, search, question.margin, opinion);
      parts.push(keep(answer));
      for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) timings[part] += chunk.timings[part];
      onProgress(chunk.end - range.first);
    }
  } finally {
    await opinion.close();
  }
  return { clashes: joinColumns(parts), unanswered, timings };
}

/** The answer with those pairs replaced that the engine leaves open. The CPU's own answers need no second opinion. */
async function settle(
  answer: ContactAnswer,
  chunk: Range,
  { scene, engine, candidates, limits }: Search,
  margin: number,
  opinion: SecondOpinion,
): Promise<ContactAnswer> {
  if (engine.facts.backend === 'cpu') return answer;
  const { pairs, rules } = candidates;
  if (hasUnlisted(answer)) {
    const whole = await opinion.ask(pairs.subarray(2 * chunk.first, 2 * chunk.end), margin);
    for (let slot = 0; slot < whole.count; slot++) whole.pair[slot] += chunk.first;
    return whole;
  }
  const slots: number[] = [];
  for (let slot = 0; slot < answer.count; slot++) {
    const pair = answer.pair[slot];
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    if (isOpen(scene, a, b, answer.status[slot], answer.distance[slot], limits[rules[pair]])) slots.push(slot);
  }
  if (slots.length === 0) return answer;
  const asked = new Uint32Array(2 * slots.length);
  slots.forEach((slot, i) => asked.set(pairs.subarray(2 * answer.pair[slot], 2 * answer.pair[slot] + 2), 2 * i));
  const second = await opinion.ask(asked, margin);
  slots.forEach((slot, i) => {
    answer.status[slot] = second.status[i];
    answer.distance[slot] = second.distance[i];
    for (const field of ['normal', 'pointA', 'pointB'] as const) {
      answer[field].set(second[field].subarray(3 * i, 3 * i + 3), 3 * slot);
    }
  });
  return answer;
}

/** Whether some pairs have no answer and are not among the hits. */
function hasUnlisted({ count, status, statusCounts }: ContactAnswer): boolean {
  let listed = 0;
  for (let slot = 0; slot < count; slot++) if (status[slot] >= Status.InvalidInput) listed++;
  return statusCounts[Status.InvalidInput] + statusCounts[Status.CapacityExceeded] > listed;
}

/** A function that selects the clashes of an answer. */
function createKeeper(
  { scene, candidates, limits }: Search,
  unanswered: SearchResult['unanswered'],
): (answer: ContactAnswer) => ClashColumns {
  const { pairs, rules } = candidates;
  const classify = createClassifier(scene);
  return (answer) => {
    const columns = makeColumns(answer.count);
    let count = 0;
    for (let slot = 0; slot < answer.count; slot++) {
      const pair = answer.pair[slot];
      const status = answer.status[slot];
      if (status !== Status.Separated && status !== Status.Overlapping) {
        unanswered.push({ pair, status: STATUS_NAMES[status] });
        continue;
      }
      const distance = shortestOfF32(answer.distance[slot]);
      const clash = classify(pairs[2 * pair], pairs[2 * pair + 1], distance, limits[rules[pair]]);
      if (!clash) continue;
      columns.pair[count] = pair;
      columns.category[count] = CATEGORIES.indexOf(clash.category);
      columns.source[count] = SOURCES.indexOf(clash.source);
      columns.inside[count] = clash.inside === 'a' ? 1 : clash.inside === 'b' ? 2 : 0;
      columns.distance[count] = answer.distance[slot];
      for (let axis = 0; axis < 3; axis++) {
        columns.normal[3 * count + axis] = answer.normal[3 * slot + axis];
        columns.point[3 * count + axis] = (answer.pointA[3 * slot + axis] + answer.pointB[3 * slot + axis]) / 2;
      }
      count++;
    }
    return cutColumns(columns, count);
  };
}

function makeColumns(count: number): ClashColumns {
  return {
    pair: new Uint32Array(count),
    category: new Uint8Array(count),
    source: new Uint8Array(count),
    inside: new Uint8Array(count),
    distance: new Float32Array(count),
    normal: new Float32Array(3 * count),
    point: new Float64Array(3 * count),
  };
}

/** Copies, so that the memory of pairs that are no clashes is freed. */
function cutColumns(
  { pair, category, source, inside, distance, normal, point }: ClashColumns,
  count: number,
): ClashColumns {
  return {
    pair: pair.slice(0, count),
    category: category.slice(0, count),
    source: source.slice(0, count),
    inside: inside.slice(0, count),
    distance: distance.slice(0, count),
    normal: normal.slice(0, 3 * count),
    point: point.slice(0, 3 * count),
  };
}
