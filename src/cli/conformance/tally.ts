/** Counts what is wrong with an engine's answers to one family, and keeps the worst pairs with all that it takes to run them again. */

import { poseOf } from '../../../test/families.ts';
import type { QueryName } from '../../pack/results.ts';
import type { ShapeDescription } from '../../shapes/descriptions.ts';
import type { Algorithm } from '../../types.ts';
import type { Answer } from '../engines/engine.ts';
import { FAULT_NAMES, judge, type Fault, type Terms, type Verdict } from './judge.ts';
import type { Subject } from './subject.ts';

/** Pairs with faults that are listed, of each family and engine. */
const LISTED = 5;

export interface FamilyTally {
  family: string;
  pairs: number;
  /** Of these, judged by the oracle; the others by the reference. */
  judged: number;
  /** Answers of all queries and algorithms to these pairs. */
  answers: number;
  /** Of a distance, as a share of max(s, |B - A|), over the answers that converged; null: not a number. */
  largestError: number | null;
  /** Answers with each fault; one may have several. */
  faults: Record<Fault, number>;
  notConverged: number;
  iterations: { mean: number; max: number };
  /** The pair of the largest error. */
  worst: JudgedPair | null;
  /** The first pairs with faults. */
  faulty: JudgedPair[];
}

/** A pair, what was answered, and a scene file of it alone for `narrowphase run` and `verify`. */
export interface JudgedPair {
  pair: number;
  query: QueryName;
  algorithm: Algorithm;
  faults: Fault[];
  status: number;
  /** null: not asked for, or no number. */
  distance: number | null;
  truth: number;
  /** By the oracle, or by the reference. */
  truthBy: 'oracle' | 'reference';
  error: number | null;
  scene: object;
}

/** Which question an answer belongs to. */
export interface Asked {
  query: QueryName;
  algorithm: Algorithm;
}

export class Tally {
  readonly #subject: Subject;
  readonly #terms: Terms;
  readonly #faults = Object.fromEntries(FAULT_NAMES.map((name) => [name, 0])) as Record<Fault, number>;
  readonly #faulty: JudgedPair[] = [];
  #answers = 0;
  #notConverged = 0;
  #iterations = { sum: 0, count: 0, max: 0 };
  #largest = -1;
  #worst: JudgedPair | null = null;

  constructor(subject: Subject, terms: Terms) {
    this.#subject = subject;
    this.#terms = terms;
  }

  /** Takes the answer for all pairs of the family. Throws where it is no such answer. */
  add(asked: Asked, answer: Answer): void {
    checkForm(answer, this.#subject.pairs);
    for (let pair = 0; pair < this.#subject.pairs; pair++) {
      const verdict = judge(this.#subject, pair, asked.query, answer, this.#terms);
      this.#answers++;
      if (!verdict.isConverged) this.#notConverged++;
      for (const fault of verdict.faults) this.#faults[fault]++;
      if (answer.iterations) this.#addIterations(answer.iterations[pair]);
      if (verdict.faults.length > 0 && this.#faulty.length < LISTED) this.#faulty.push(this.#describe(pair, asked, answer, verdict));
      if (verdict.error > this.#largest) {
        this.#largest = verdict.error;
        this.#worst = this.#describe(pair, asked, answer, verdict);
      }
    }
  }

  #addIterations(iterations: number): void {
    this.#iterations.sum += iterations;
    this.#iterations.count++;
    this.#iterations.max = Math.max(this.#iterations.max, iterations);
  }

  #describe(pair: number, { query, algorithm }: Asked, answer: Answer, { faults, error }: Verdict): JudgedPair {
    const { truth, byOracle } = this.#subject;
    return {
      pair,
      query,
      algorithm,
      faults: [...faults],
      status: answer.status[pair],
      distance: answer.distance ? finite(answer.distance[pair]) : null,
      truth: truth[pair],
      truthBy: byOracle[pair] ? 'oracle' : 'reference',
      error: finite(error),
      scene: sceneOf(this.#subject, pair),
    };
  }

  result(): FamilyTally {
    const { family, pairs, judged } = this.#subject;
    const { sum, count, max } = this.#iterations;
    return {
      family: family.name,
      pairs,
      judged,
      answers: this.#answers,
      largestError: finite(Math.max(0, this.#largest)),
      faults: this.#faults,
      notConverged: this.#notConverged,
      iterations: { mean: count > 0 ? sum / count : 0, max },
      worst: this.#worst,
      faulty: this.#faulty,
    };
  }
}

/** With `results: 'all'` slot i is pair i, and the counts are those of the slots. */
function checkForm({ count, pair, status, statusCounts }: Answer, pairs: number): void {
  if (count !== pairs) throw new Error(`it answered ${count} pairs of ${pairs}`);
  const counts = [0, 0, 0, 0, 0];
  for (let slot = 0; slot < count; slot++) {
    if (pair[slot] !== slot) throw new Error(`slot ${slot} of its answer is of pair ${pair[slot]}`);
    counts[status[slot]]++;
  }
  if (counts.some((number, i) => number !== statusCounts[i])) throw new Error(`it counted statuses ${statusCounts}, its slots have ${counts}`);
}

/** JSON has no other numbers. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function sceneOf({ family }: Subject, pair: number): object {
  const bodies = [0, 1].map((side) => family.pairs[2 * pair + side]);
  return {
    version: 1,
    name: `${family.name}, pair ${pair}`,
    shapes: bodies.map((body) => plain(family.shapes[family.bodies.shapes[body]])),
    bodies: bodies.map((body, shape) => {
      const { position, quaternion, scale = 1 } = poseOf(family, body);
      return { shape, position: Array.from(position), quaternion: Array.from(quaternion), scale };
    }),
    pairs: [[0, 1]],
  };
}

/** The description with lists in place of typed arrays. */
function plain(shape: ShapeDescription): object {
  return Object.fromEntries(Object.entries(shape).map(([field, value]) => [field, ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value]));
}
