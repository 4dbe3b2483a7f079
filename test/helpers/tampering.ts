/**
 * An engine whose answers were tampered with, and every kind of tampering that `narrowphase verify` and `narrowphase
 * conformance` have to notice.
 */

import type { Answer, Engine, Question } from '../../verification/engines/engine.ts';
import type { FaultKind } from '../../verification/judges/faults.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { Status, type StatusCounts } from '../../src/api/types.ts';

/** Alters an answer's numbers for the pair at `slot`. */
export type Change = (answer: Answer, slot: number) => void;
/** Makes another list of the hits. */
export type Relist = (hits: Answer) => Answer;

/**
 * The engine, but for what `change` does to a pair in every answer that has it, and `relist` to the list of hits.
 * Status counts go with the statuses.
 */
export function tampered(
  honest: Engine,
  pair: number,
  change: Change,
  relist: Relist = (hits) => hits,
  isMeant: (question: Question) => boolean = () => true,
): Engine {
  const changed = (answer: Answer): Answer => {
    const slot = answer.pair.subarray(0, answer.count).indexOf(pair);
    if (slot >= 0) change(answer, slot);
    return answer;
  };
  return {
    ...honest,
    async ask(question) {
      const { answer, timings } = await honest.ask(question);
      if (!isMeant(question)) return { answer, timings };
      const { answer: all } =
        question.results === 'all' ? { answer } : await honest.ask({ ...question, results: 'all' });
      changed(all);
      const told = question.results === 'all' ? all : relist(changed(answer));
      return { answer: { ...told, statusCounts: countsOf(all) }, timings };
    },
  };
}

/** The engine with another reply to every question that is meant. */
export function replying(honest: Engine, change: (answer: Answer, question: Question) => Answer): Engine {
  return {
    ...honest,
    async ask(question) {
      const { answer, timings } = await honest.ask(question);
      return { answer: change(answer, question), timings };
    },
  };
}

export function countsOf({ status, count }: Pick<Answer, 'status' | 'count'>): StatusCounts {
  const counts = [0, 0, 0, 0, 0];
  for (const one of status.subarray(0, count)) if (one < 5) counts[one]++;
  return counts as unknown as StatusCounts;
}

/** All pairs without an answer, as an engine would say it that knows nothing. */
export function giveUpOn(answer: Answer): Answer {
  const status = answer.status.slice().fill(Status.NotConverged);
  const distance = answer.distance?.slice().fill(-1e30);
  const bounds = answer.lower && {
    lower: answer.lower.slice().fill(-Infinity),
    upper: answer.upper!.slice().fill(Infinity),
  };
  return { ...answer, status, ...(distance && { distance }), ...bounds };
}

/** A list of hits without one slot of it. */
export function without(hits: Answer, slot: number): Answer {
  return picked(hits, hits.count - 1, (i) => (i < slot ? i : i + 1));
}

/** A list of hits with the slot behind `slot` made up for `pair`. */
export function withExtra(hits: Answer, slot: number, pair: number): Answer {
  const longer = picked(hits, hits.count + 1, (i) => (i <= slot ? i : i - 1));
  longer.pair[slot + 1] = pair;
  return longer;
}

function picked(hits: Answer, count: number, from: (slot: number) => number): Answer {
  const fields = Object.entries(hits).map(([name, array]) => {
    if (!ArrayBuffer.isView(array)) return [name, array];
    const values = array as unknown as Float64Array;
    const width = values.length / hits.count;
    const taken = { length: width * count };
    return [
      name,
      (values.constructor as Float64ArrayConstructor).from(
        taken,
        (_, i) => values[width * from(Math.floor(i / width)) + (i % width)],
      ),
    ];
  });
  return { ...Object.fromEntries(fields), count } as Answer;
}

export function vectorAt(array: ArrayLike<number>, slot: number): number[] {
  return [array[3 * slot], array[3 * slot + 1], array[3 * slot + 2]];
}

export function move(array: Float32Array | Float64Array, slot: number, by: number[]): void {
  by.forEach((x, k) => (array[3 * slot + k] += x));
}

/** A unit vector perpendicular to the pair's normal. */
export function tangent(answer: Answer, slot: number): number[] {
  const [x, y, z] = vectorAt(answer.normal!, slot);
  const length = Math.hypot(x, y);
  return length > 0.1 ? [-y / length, x / length, 0] : [0, -z / Math.hypot(y, z), y / Math.hypot(y, z)];
}

/** Both points along the normal, by a multiple of it. */
export function push(answer: Answer, slot: number, by: number): void {
  for (const point of [answer.pointA!, answer.pointB!])
    move(
      point,
      slot,
      vectorAt(answer.normal!, slot).map((x) => by * x),
    );
}

function fillVector(array: Float32Array | Float64Array, slot: number, value: number): void {
  array.fill(value, 3 * slot, 3 * slot + 3);
}

function makeOverlap({ status, distance, normal, pointA, pointB }: Answer, slot: number): void {
  status[slot] = Status.Overlapping;
  distance![slot] = 0;
  for (const array of [normal!, pointA!, pointB!]) fillVector(array, slot, 0);
}

/** A pair that overlaps deeply, or is clearly apart. */
export type Which = 'deep' | 'apart';

/** Lengths are in sizes of the pair, max(s, |B - A|). */
export interface Tampering {
  what: string;
  query: CommandQuery;
  which: Which;
  change: (answer: Answer, slot: number, size: number) => void;
  /** One of the faults that it is found by. */
  kind: FaultKind;
}

function tampering(
  query: CommandQuery,
  which: Which,
  kind: FaultKind,
  what: string,
  change: Tampering['change'],
): Tampering {
  return { what, query, which, change, kind };
}

export const TAMPERINGS: readonly Tampering[] = [
  tampering(
    'contacts',
    'deep',
    'distance',
    'a depth that is off',
    ({ distance }, slot, size) => (distance![slot] -= 2e-5 * size),
  ),
  tampering(
    'distances',
    'apart',
    'distance',
    'a gap that is off',
    ({ distance }, slot, size) => (distance![slot] += 2e-5 * size),
  ),
  tampering(
    'contacts',
    'apart',
    'notFinite',
    'a distance that is no number',
    ({ distance }, slot) => (distance![slot] = NaN),
  ),
  tampering('contacts', 'deep', 'notFinite', 'an infinite point', ({ pointB }, slot) => (pointB![3 * slot] = Infinity)),
  tampering(
    'distances',
    'deep',
    'zeros',
    'a distance of an overlap in `distances`',
    ({ distance }, slot) => (distance![slot] = 1e-9),
  ),
  tampering(
    'distances',
    'deep',
    'zeros',
    'a normal of an overlap in `distances`',
    ({ normal }, slot) => (normal![3 * slot] = 1),
  ),
  tampering(
    'distances',
    'deep',
    'zeros',
    'a point of an overlap in `distances`',
    ({ pointB }, slot) => (pointB![3 * slot + 2] = 1),
  ),
  tampering(
    'contacts',
    'apart',
    'status',
    'a gap called an overlap',
    ({ status }, slot) => (status[slot] = Status.Overlapping),
  ),
  tampering('distances', 'apart', 'status', 'a gap called an overlap by `distances`, with its zeros', makeOverlap),
  tampering(
    'intersects',
    'deep',
    'status',
    'an overlap called a gap',
    ({ status }, slot) => (status[slot] = Status.Separated),
  ),
  tampering(
    'contacts',
    'apart',
    'status',
    'a refusal of valid input',
    ({ status }, slot) => (status[slot] = Status.InvalidInput),
  ),
  tampering('intersects', 'apart', 'status', 'a status that there is not', ({ status }, slot) => (status[slot] = 7)),
  tampering(
    'intersects',
    'deep',
    'listing',
    '`hit` that says other than the list',
    ({ hit }, slot) => (hit![slot] = 0),
  ),
  tampering('contacts', 'apart', 'unit', 'a normal that is too long', ({ normal }, slot) =>
    vectorAt(normal!, slot).forEach((x, k) => (normal![3 * slot + k] = 1.0001 * x)),
  ),
  tampering(
    'contacts',
    'apart',
    'notFinite',
    'a normal that is no number',
    ({ normal }, slot) => (normal![3 * slot] = NaN),
  ),
  tampering('contacts', 'deep', 'supports', 'a normal the other way round', ({ normal }, slot) =>
    vectorAt(normal!, slot).forEach((x, k) => (normal![3 * slot + k] = -x)),
  ),
  tampering('distances', 'apart', 'supports', 'a normal turned by a thousandth', (answer, slot) =>
    move(
      answer.normal!,
      slot,
      tangent(answer, slot).map((x) => 1e-3 * x),
    ),
  ),
  tampering(
    'contacts',
    'deep',
    'points',
    'a point that the normal does not reach',
    ({ pointA }, slot, size) => (pointA![3 * slot] += 1e-3 * size),
  ),
  tampering('contacts', 'deep', 'surface', 'points off their surfaces', (answer, slot, size) =>
    push(answer, slot, 1e-3 * size),
  ),
  tampering('distances', 'apart', 'surface', 'points beside the shapes', (answer, slot, size) => {
    for (const point of [answer.pointA!, answer.pointB!])
      move(
        point,
        slot,
        tangent(answer, slot).map((x) => 4 * size * x),
      );
  }),
  tampering('contacts', 'deep', 'surface', 'no points', ({ pointA, pointB }, slot) =>
    [pointA!, pointB!].forEach((point) => fillVector(point, slot, 0)),
  ),
  tampering(
    'contacts',
    'deep',
    'bounds',
    'a lower bound above the distance',
    ({ lower, distance }, slot) => (lower![slot] = distance![slot] * (1 - 1e-4)),
  ),
  tampering(
    'contacts',
    'deep',
    'bounds',
    'an upper bound below the distance',
    ({ upper, distance }, slot) => (upper![slot] = distance![slot] * (1 + 1e-4)),
  ),
  tampering(
    'contacts',
    'deep',
    'bounds',
    'infinite bounds',
    ({ lower, upper }, slot) => ((lower![slot] = -Infinity), (upper![slot] = Infinity)),
  ),
  tampering(
    'contacts',
    'apart',
    'bounds',
    'an infinite upper bound of a gap',
    ({ upper }, slot) => (upper![slot] = Infinity),
  ),
  tampering('contacts', 'deep', 'bounds', 'bounds that are no numbers', ({ lower }, slot) => (lower![slot] = NaN)),
  tampering('contacts', 'deep', 'features', 'a feature of no kind', ({ featureA }, slot) => (featureA![slot] = 0)),
  tampering(
    'contacts',
    'deep',
    'features',
    'a vertex that the shape does not have',
    ({ featureB }, slot) => (featureB![slot] = 2 ** 30 + 4096),
  ),
  tampering(
    'contacts',
    'deep',
    'features',
    'an edge that the shape does not have',
    ({ featureA }, slot) => (featureA![slot] = 2 * 2 ** 30 + 4096),
  ),
  tampering(
    'contacts',
    'deep',
    'features',
    'a face that the shape does not have',
    ({ featureB }, slot) => (featureB![slot] = 3 * 2 ** 30 + 4096),
  ),
];
