/** Families in motion as tests walk through them, and impacts held against the oracle. */

import { expect } from 'vitest';
import type { CpuImpactOptions } from '../../src/cpu.ts';
import type { ImpactAlgorithm, Impacts, Tester } from '../../src/api/types.ts';
import {
  makeFamily,
  makeShapePairFamily,
  makeStructuredFamily,
  familyNames,
  shapePairNames,
  structuredFamilyNames,
  type FamilyName,
  type StructuredFamilyName,
} from '../../verification/families/families.ts';
import { setInMotion, type MotionOptions, type MovingFamily } from '../../verification/families/moving-family.ts';
import {
  judgeImpact,
  type ImpactTerms,
  type MovingPair,
  type Outcome,
  type SaidImpact,
} from '../../verification/oracle/motion.ts';
import { askReference, impactAt, movingPairsOf } from '../../verification/judges/moving-pairs.ts';
import { summary, useShapes } from '../../verification/families/test-pairs.ts';

/** Each two types of shape, named pairs such as sharp boxes, and degenerate ones, in motion. */
export function movingFamily(name: string, count: number, seed: number, options?: MotionOptions): MovingFamily {
  const isOfTypes = shapePairNames.includes(name);
  const isNamed = (familyNames as readonly string[]).includes(name);
  const still = isOfTypes
    ? makeShapePairFamily(name, count, seed)
    : isNamed
      ? makeFamily(name as FamilyName, count, seed)
      : makeStructuredFamily(name as StructuredFamilyName, count, seed);
  return setInMotion(still, seed + 1, options);
}

export { shapePairNames, structuredFamilyNames };

/** Judges the reference's answers for `count` pairs of a family in motion, and gives what became of them. */
export function judgeReference(
  name: string,
  count: number,
  seed: number,
  isTurning: boolean,
  options: Omit<CpuImpactOptions, 'duration'> = {},
): Outcomes {
  const family = movingFamily(name, count, seed, { isTurning });
  const { duration } = family;
  const outcomes = noOutcomes();
  const faults = faultsOf(
    movingPairsOf(family),
    (_, pair) => askReference(pair, { ...options, duration }),
    () => ({ precision: 'reference', duration, margin: options.margin }),
    (index) => `${name}, ${JSON.stringify(options)}, seed ${seed}, pair ${index}, ${family.courses[index]}`,
    outcomes,
  );
  expect(faults).toEqual([]);
  return outcomes;
}

/** How many pairs came to which end. */
export type Outcomes = Record<Outcome, number>;

export function noOutcomes(): Outcomes {
  return { missed: 0, met: 0, overlapped: 0, stood: 0, open: 0 };
}

/** What is wrong with the impacts of pairs, for `toEqual([])`; counts outcomes. */
export function faultsOf(
  pairs: readonly MovingPair[],
  said: (index: number, pair: MovingPair) => SaidImpact,
  terms: (index: number, pair: MovingPair) => ImpactTerms,
  label: (index: number) => string,
  outcomes = noOutcomes(),
): string[] {
  const faults = pairs.flatMap((pair, index) => {
    const verdict = judgeImpact(pair, said(index, pair), terms(index, pair));
    outcomes[verdict.outcome]++;
    return verdict.faults.map((fault) => `${label(index)}: ${fault}`);
  });
  return summary(faults);
}

/** Asks a tester for the impacts of pairs of a family, judges them, and gives what became of them. */
export async function judgeQuery(
  tester: Tester,
  family: MovingFamily,
  list: Uint32Array,
  algorithm: ImpactAlgorithm,
  label: string,
): Promise<Outcomes> {
  const { bodies, duration, courses } = family;
  useShapes(tester, family.shapes);
  const found = await tester.impacts(bodies, list, { duration, algorithm });
  const all = movingPairsOf(family);
  const chosen = Array.from({ length: list.length / 2 }, (_, i) => list[2 * i] / 2);
  const outcomes = noOutcomes();
  const faults = faultsOf(
    chosen.map((pair) => all[pair]),
    (i) => impactAt(found, i),
    (_, pair) => ({ precision: 'kernels', duration, known: askReference(pair, { duration }).time }),
    (i) => `${label}, by ${algorithm}, pair ${chosen[i]}, ${courses[chosen[i]]}`,
    outcomes,
  );
  expect(faults).toEqual([]);
  return outcomes;
}

type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Elements a slot of each array of a result; `first` has one a body. */
const WIDTHS: Record<string, number> = {
  pair: 1,
  status: 1,
  time: 1,
  unclampedTime: 1,
  iterations: 1,
  normal: 3,
  point: 3,
};

/** The arrays of a result cut to its slots, in plain numbers, and its counts: for `toEqual`, bit by bit. */
export function columnsOf(result: Impacts): Record<string, unknown> {
  const columns = Object.entries(WIDTHS).map(([name, width]) => [
    name,
    Array.from((result as unknown as Record<string, Column>)[name].subarray(0, width * result.count)),
  ]);
  return {
    ...Object.fromEntries(columns),
    count: result.count,
    statusCounts: result.statusCounts,
    first: result.first && Array.from(result.first),
  };
}
