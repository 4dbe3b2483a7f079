/**
 * Asks an engine about the candidate pairs, chunk by chunk, and keeps the clashes. The engine's answers select the pairs
 * that are near each other. What its tolerance leaves open, and bodies of parts, are left to the reference.
 */

import { Status } from '../../api/types.ts';
import { CORE_PARTS } from '../../generated/constants.ts';
import type { Scene } from '../../scene/scene.ts';
import type { CallTimings, Engine } from '../../../verification/engines/engine.ts';
import { askInChunks, type Range } from '../chunked-query.ts';
import { joinColumns } from '../columns.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import { STATUS_NAMES, type StatusName } from '../report/report-header.ts';
import type { Candidates } from './candidates.ts';
import { createClassifier } from './classify.ts';
import { createColumns, type ClashColumns } from './clash-columns.ts';
import { isOpen, marginAllowance } from './open-pairs.ts';
import { createPairMeasurer, type GivenPair } from './parts/measure-pairs.ts';
import { createReference, type ContactAnswer, type Reference } from './reference.ts';
import type { Limits } from './rules.ts';
import type { SolidScene } from './solids/convex-meshes.ts';

export interface Search {
  solids: SolidScene;
  engine: Engine;
  candidates: Candidates;
  /** Of each rule. */
  limits: readonly Limits[];
  /** The pairs to ask about. */
  range: Range;
}

export interface SearchResult {
  clashes: ClashColumns;
  unanswered: Unanswered[];
  /** The total has the reference's share too. */
  timings: CallTimings;
}

interface Unanswered {
  pair: number;
  status: StatusName;
}

/** The greatest distance at which a pair can be a clash. */
export function marginOf(limits: readonly Limits[]): number {
  return limits.reduce((most, { tolerance, clearance }) => Math.max(most, tolerance, clearance ?? 0), 0);
}

/** The engine has loaded the scene. `onProgress` receives the number of pairs that are done. */
export async function findClashes(search: Search, onProgress: (pairs: number) => void): Promise<SearchResult> {
  const { solids, engine, candidates, limits, range } = search;
  const margin = marginOf(limits);
  const question = {
    query: 'contacts',
    pairs: candidates.pairs,
    margin: margin + marginAllowance(solids.scene, margin),
    results: 'hits',
  } as const;
  const timings: CallTimings = { total: 0, compile: 0, kernels: 0, readBack: 0 };
  const parts: ClashColumns[] = [];
  const unanswered: Unanswered[] = [];
  const reference = createReference(solids.scene);
  const onMeasured = (pair: number): void => onProgress(pair + 1 - range.first);
  const conclude = createConcluder(search, margin, reference, unanswered, onMeasured);
  const start = performance.now();
  try {
    for await (const chunk of askInChunks(engine, question, range)) {
      const answer = await settle(chunk.answer as ContactAnswer, chunk, search, question.margin, reference);
      parts.push(await conclude(answer, chunk));
      for (const part of ['compile', 'kernels', 'readBack'] as const) timings[part] += chunk.timings[part];
      timings.total = performance.now() - start;
      onProgress(chunk.end - range.first);
    }
  } finally {
    reference.close();
  }
  return { clashes: joinColumns(parts), unanswered, timings };
}

/** The answer, with those of convex pairs replaced that the engine leaves open. The CPU's need no second opinion. */
async function settle(
  answer: ContactAnswer,
  chunk: Range,
  { solids: { scene }, engine, candidates, limits }: Search,
  margin: number,
  reference: Reference,
): Promise<ContactAnswer> {
  if (engine.facts.backend === 'cpu') return answer;
  const { pairs, rules } = candidates;
  if (hasUnlisted(answer)) {
    const whole = await reference.contacts(pairs.subarray(2 * chunk.first, 2 * chunk.end), margin);
    for (let slot = 0; slot < whole.count; slot++) whole.pair[slot] += chunk.first;
    return whole;
  }
  const slots: number[] = [];
  for (let slot = 0; slot < answer.count; slot++) {
    const pair = answer.pair[slot];
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    if (hasParts(scene, a) || hasParts(scene, b)) continue;
    if (isOpen(scene, a, b, answer.status[slot], answer.distance[slot], limits[rules[pair]])) slots.push(slot);
  }
  if (slots.length === 0) return answer;
  const asked = new Uint32Array(2 * slots.length);
  slots.forEach((slot, i) => asked.set(pairs.subarray(2 * answer.pair[slot], 2 * answer.pair[slot] + 2), 2 * i));
  const second = await reference.contacts(asked, margin);
  slots.forEach((slot, i) => {
    answer.status[slot] = second.status[i];
    answer.distance[slot] = second.distance[i];
    for (const field of ['normal', 'pointA', 'pointB'] as const) {
      answer[field].set(second[field].subarray(3 * i, 3 * i + 3), 3 * slot);
    }
  });
  return answer;
}

function hasParts({ shapeData, bodies }: Scene, body: number): boolean {
  return shapeData[bodies.shapes[body]].kind === CORE_PARTS;
}

/** Whether some pairs have no answer and are not among the hits. */
function hasUnlisted({ count, status, statusCounts }: ContactAnswer): boolean {
  let listed = 0;
  for (let slot = 0; slot < count; slot++) if (status[slot] >= Status.InvalidInput) listed++;
  return statusCounts[Status.InvalidInput] + statusCounts[Status.CapacityExceeded] > listed;
}

/** A function that selects the clashes of a chunk. */
function createConcluder(
  { solids, candidates, limits }: Search,
  margin: number,
  reference: Reference,
  unanswered: Unanswered[],
  onMeasured: (pair: number) => void,
): (answer: ContactAnswer, chunk: Range) => Promise<ClashColumns> {
  const { scene, topologies } = solids;
  const { pairs, rules } = candidates;
  const classify = createClassifier(scene);
  const measure = createPairMeasurer(solids, reference);
  const shapesWithParts = scene.shapeData.some(({ kind }) => kind === CORE_PARTS);
  const isClosedMesh = (body: number): boolean => {
    const { parts } = scene.shapeData[scene.bodies.shapes[body]];
    return parts?.type === 'mesh' && topologies.get(parts)!.isClosed;
  };

  /** Hits with parts, and other pairs with a closed mesh, one of which may be inside the other. */
  const pairsOfParts = (answer: ContactAnswer, { first, end }: Range): GivenPair[] => {
    const hits = new Set(answer.pair.subarray(0, answer.count));
    const found: GivenPair[] = [];
    for (let pair = first; pair < end; pair++) {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const isHit = hits.has(pair);
      if (isHit ? hasParts(scene, a) || hasParts(scene, b) : isClosedMesh(a) || isClosedMesh(b)) {
        found.push({ pair, a, b, limits: limits[rules[pair]], isHit });
      }
    }
    return found;
  };

  return async (answer, chunk) => {
    const measured = shapesWithParts ? await measure(pairsOfParts(answer, chunk), margin, onMeasured) : [];
    const columns = createColumns(answer.count + measured.length);
    let next = 0;
    for (let slot = 0; slot < answer.count; slot++) {
      const pair = answer.pair[slot];
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      if (hasParts(scene, a) || hasParts(scene, b)) continue;
      while (next < measured.length && measured[next].pair < pair) columns.addMeasured(measured[next++]);
      const status = answer.status[slot];
      if (status !== Status.Separated && status !== Status.Overlapping) {
        unanswered.push({ pair, status: STATUS_NAMES[status] });
        continue;
      }
      const clash = classify(a, b, shortestOfF32(answer.distance[slot]), limits[rules[pair]]);
      if (clash) columns.addConvex(clash, answer, slot);
    }
    while (next < measured.length) columns.addMeasured(measured[next++]);
    return columns.finish();
  };
}
