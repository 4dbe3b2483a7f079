/**
 * Runs in the page: queries of the built package on WebGPU, judged as `narrowphase verify` judges them, on seeded
 * families.
 */

import { judgedBodies } from '../../verification/families/judged-bodies.ts';
import type { Engine } from '../../verification/engines/engine.ts';
import { testerEngine } from '../../verification/engines/tester-engine.ts';
import { compareBy } from '../../cli/verify/compare.ts';
import type { CompareTimings } from '../../cli/verify/compare.ts';
import { FAULTS } from '../../verification/judges/faults.ts';
import { termsOf } from '../../verification/judges/contact.ts';
import { askReference, setKnownDistance, poseOfPair } from '../../verification/judges/reference.ts';
import { createStatistics, hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';
import type { Family } from '../../verification/families/family.ts';
import { marginOf } from './cases.ts';
import type { QueryCase } from './cases.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { testerOf } from './testers.ts';

const NO_BODIES = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };

export interface Comparison {
  backend: string;
  adapter: string;
  pairs: number;
  /** Pairs whose reference distance is 0 or less, pairs among the hits, pairs that left early. */
  overlapping: number;
  listed: number;
  leftEarly: number;
  /** No fault, no wrong count, no pair without an answer. */
  passed: boolean;
  /** The worst pairs with faults or without an answer, and wrong counts, in words. */
  faults: string[];
  /** Largest |distance - reference| as a share of max(s, |B - A|), over distances that are no lower bounds. */
  worst: number;
  timings: CompareTimings;
}

/** Each case for all pairs and for the hits. */
export async function compareQueries(
  name: BrowserFamilyName,
  count: number,
  seed: number,
  cases: QueryCase[],
): Promise<Comparison[]> {
  const family = browserFamily(name, count, seed);
  const engine = testerEngine(await testerOf(name), { name: 'chrome', runtime: navigator.userAgent }, null);
  try {
    await engine.load(family.shapes, family.bodies);
    const comparisons: Comparison[] = [];
    for (const queryCase of cases) comparisons.push(await compare(engine, family, queryCase));
    return comparisons;
  } finally {
    await engine.load([], NO_BODIES);
  }
}

async function compare({ facts, ...engine }: Engine, family: Family, queryCase: QueryCase): Promise<Comparison> {
  const { pairs } = family;
  const bodies = judgedBodies(family);
  const terms = termsOf(facts.backend, queryCase.query, marginOf(queryCase), queryCase.algorithm);
  const statistics = createStatistics<string | null>(terms.tolerance, 5);
  const found = { overlapping: 0, listed: 0, worst: 0 };
  const timings = await compareBy({ facts, ...engine }, pairs, terms, {
    statistics,
    loadPair(pair, to) {
      poseOfPair(bodies, pairs[2 * pair], pairs[2 * pair + 1], to);
      setKnownDistance(askReference(to), to.known);
    },
    review({ reference, isListed, verdict }) {
      if (reference.known.low <= 0) found.overlapping++;
      if (isListed) found.listed++;
      if (verdict.offBy > found.worst) found.worst = verdict.offBy;
    },
    describe({ pair, verdict }) {
      const words = verdict.faults.map((kind) => FAULTS[kind]).join('; ') || (verdict.isUnanswered ? 'no answer' : '');
      return words === '' ? null : `pair ${pair}: ${words}`;
    },
  });
  const { vendor, architecture, description } = facts.adapter;
  return {
    backend: facts.backend,
    adapter: [vendor, architecture, description].filter(Boolean).join(' '),
    pairs: statistics.pairs,
    ...found,
    leftEarly: statistics.leftEarly,
    passed: hasPassed(statistics),
    faults: [...worstItems(statistics.worst), statistics.miscounts.first].filter((words) => words !== null),
    timings,
  };
}
