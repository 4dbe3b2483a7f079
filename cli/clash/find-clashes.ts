/**
 * Finds the clashes among the candidate pairs. An engine answers the pairs of convex bodies, chunk by chunk; what its
 * tolerance leaves open is left to the reference, and so are all pairs with a compound or a mesh.
 */

import { Status } from '../../src/api/types.ts';
import { CORE_PARTS } from '../../src/generated/constants.ts';
import type { Scene } from '../scene/scene.ts';
import type { CallTimings, Engine } from '../../verification/engines/engine.ts';
import { askInChunks, type Range } from '../chunked-query.ts';
import { joinColumns } from '../columns.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import { STATUS_NAMES, type StatusName } from '../report/report-header.ts';
import type { Candidates } from './candidates.ts';
import { createClassifier } from './classify.ts';
import { createColumns, mergeColumns, type ClashColumns } from './clash-columns.ts';
import { isOpen, marginAllowance } from './open-pairs.ts';
import { createPairMeasurer } from './parts/measure-pairs.ts';
import { createReference, type ContactAnswer, type OpenTester, type Reference } from './reference.ts';
import type { Limits } from './rules.ts';
import type { SolidScene } from './solids/convex-meshes.ts';

export interface Search {
  solids: SolidScene;
  engine: Engine;
  /** Opens the CPU tester of the reference. */
  openReference: OpenTester;
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
  const { solids, candidates, limits } = search;
  const start = performance.now();
  const { convex, withParts } = splitPairs(search);
  const reference = createReference(solids.scene, search.openReference);
  try {
    const { clashes, unanswered, timings } = await askEngine(search, convex, reference, onProgress);
    const measure = createPairMeasurer(solids, reference);
    const given = Array.from(withParts, (pair) => {
      const [a, b] = [candidates.pairs[2 * pair], candidates.pairs[2 * pair + 1]];
      return { pair, a, b, limits: limits[candidates.rules[pair]] };
    });
    const measured = createColumns(given.length);
    for await (const { clashes: some, done } of measure(given, marginOf(limits))) {
      some.forEach(measured.addMeasured);
      onProgress(convex.length + done);
    }
    timings.total = performance.now() - start;
    return { clashes: mergeColumns(clashes, measured.finish()), unanswered, timings };
  } finally {
    reference.close();
  }
}

/** The pairs of convex bodies, and the others: indices into the candidate pairs, ascending. */
function splitPairs({ solids: { scene }, candidates: { pairs }, range: { first, end } }: Search) {
  const [convex, withParts] = [new Uint32Array(end - first), new Uint32Array(end - first)];
  let convexCount = 0;
  for (let pair = first; pair < end; pair++) {
    if (hasParts(scene, pairs[2 * pair]) || hasParts(scene, pairs[2 * pair + 1])) {
      withParts[pair - first - convexCount] = pair;
    } else {
      convex[convexCount++] = pair;
    }
  }
  return { convex: convex.slice(0, convexCount), withParts: withParts.slice(0, end - first - convexCount) };
}

function hasParts({ shapeData, bodies }: Scene, body: number): boolean {
  return shapeData[bodies.shapes[body]].kind === CORE_PARTS;
}

/** The clashes of convex bodies. `convex`: their pairs. */
async function askEngine(
  search: Search,
  convex: Uint32Array,
  reference: Reference,
  onProgress: (pairs: number) => void,
): Promise<SearchResult> {
  const { solids, engine, candidates, limits } = search;
  const margin = marginOf(limits);
  const question = {
    query: 'contacts',
    pairs: flat(candidates, convex),
    margin: margin + marginAllowance(solids.scene, margin),
    results: 'hits',
  } as const;
  const timings: CallTimings = { total: 0, compile: 0, kernels: 0, readBack: 0 };
  const parts: ClashColumns[] = [];
  const unanswered: Unanswered[] = [];
  const conclude = createConcluder(search, unanswered);
  for await (const chunk of askInChunks(engine, question)) {
    const answer = chunk.answer as ContactAnswer;
    // From places among the pairs that are asked about to those among all.
    for (let slot = 0; slot < answer.count; slot++) answer.pair[slot] = convex[answer.pair[slot]];
    const settled = await settle(answer, convex.subarray(chunk.first, chunk.end), search, question.margin, reference);
    parts.push(conclude(settled));
    for (const part of ['compile', 'kernels', 'readBack'] as const) timings[part] += chunk.timings[part];
    onProgress(chunk.end);
  }
  return { clashes: joinColumns(parts), unanswered, timings };
}

/** Two bodies for each of these pairs. */
function flat({ pairs }: Candidates, chosen: ArrayLike<number>): Uint32Array {
  const bodies = new Uint32Array(2 * chosen.length);
  for (let i = 0; i < chosen.length; i++) {
    bodies[2 * i] = pairs[2 * chosen[i]];
    bodies[2 * i + 1] = pairs[2 * chosen[i] + 1];
  }
  return bodies;
}

/** The engine's answer, in which the reference has decided the pairs that are left open. The CPU leaves none open. */
async function settle(
  answer: ContactAnswer,
  asked: Uint32Array,
  { solids: { scene }, engine, candidates, limits }: Search,
  margin: number,
  reference: Reference,
): Promise<ContactAnswer> {
  if (engine.facts.backend === 'cpu') return answer;
  if (hasUnlisted(answer)) {
    const whole = await reference.contacts(flat(candidates, asked), margin);
    for (let slot = 0; slot < whole.count; slot++) whole.pair[slot] = asked[whole.pair[slot]];
    return whole;
  }
  const { pairs, rules } = candidates;
  const slots: number[] = [];
  for (let slot = 0; slot < answer.count; slot++) {
    const pair = answer.pair[slot];
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    if (isOpen(scene, a, b, answer.status[slot], answer.distance[slot], limits[rules[pair]])) slots.push(slot);
  }
  if (slots.length === 0) return answer;
  const second = await reference.contacts(
    flat(
      candidates,
      slots.map((slot) => answer.pair[slot]),
    ),
    margin,
  );
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
function createConcluder(
  { solids: { scene }, candidates: { pairs, rules }, limits }: Search,
  unanswered: Unanswered[],
): (answer: ContactAnswer) => ClashColumns {
  const classify = createClassifier(scene);
  return (answer) => {
    const columns = createColumns(answer.count);
    for (let slot = 0; slot < answer.count; slot++) {
      const pair = answer.pair[slot];
      const status = answer.status[slot];
      if (status !== Status.Separated && status !== Status.Overlapping) {
        unanswered.push({ pair, status: STATUS_NAMES[status] });
        continue;
      }
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const clash = classify(a, b, shortestOfF32(answer.distance[slot]), limits[rules[pair]]);
      if (clash) columns.addConvex(clash, answer, slot);
    }
    return columns.finish();
  };
}
