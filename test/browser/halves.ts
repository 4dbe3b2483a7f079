/** Runs in the page: a query in two halves has the bits of the whole one, over bodies in every form. */

import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { usePlanarShapes } from '../helpers/planar-tester.ts';
import type { Numbers } from '../helpers/memory.ts';
import { browserFamily } from './families.ts';
import { planarTester, testerOf } from './testers.ts';

const PAIRS = 600;
const HALF = PAIRS / 2;

type Query = 'contacts' | 'manifolds' | 'impacts';

/** A query of moving bodies at 32-bit positions, at 64-bit positions, or with scales. */
export type HalvesCase = readonly [query: Query, form: 'plain' | 'wide' | 'scaled'];

interface Scene {
  bodies: PosedBodies & { linearVelocities: Float32Array };
  pairs: Uint32Array;
  duration: number;
}

export interface HalvesComparison {
  /** Arrays that were compared. */
  arrays: number;
  hits: number;
  /** The arrays that differ. */
  faults: string[];
}

export async function compareHalves(
  axes: 2 | 3,
  seed: number,
  cases: readonly HalvesCase[],
): Promise<HalvesComparison> {
  const { tester, bodies, ...scene } = await (axes === 2 ? planarScene : spaceScene)(seed);
  const positions = Float64Array.from(bodies.positions, (x, i) => x + 1e7 * Math.sin(i - (i % (2 * axes))));
  const scales = new Float32Array(2 * PAIRS).fill(1.5);
  const comparison: HalvesComparison = { arrays: 0, hits: 0, faults: [] };
  const forms = { plain: bodies, wide: { ...bodies, positions }, scaled: { ...bodies, scales } };
  for (const [query, form] of cases) await compare(tester, query, { ...scene, bodies: forms[form] }, comparison);
  return comparison;
}

async function spaceScene(seed: number): Promise<Scene & { tester: Tester }> {
  const family = setInMotion(browserFamily('box-box', PAIRS, seed), seed);
  const tester = await testerOf('box-box');
  useShapes(tester, family.shapes);
  return { ...family, tester };
}

async function planarScene(seed: number): Promise<Scene & { tester: Tester }> {
  const family = setPlanarInMotion(makePlanarTypeFamily('rectangle/polygon', PAIRS, seed), seed, false);
  const tester = await planarTester();
  usePlanarShapes(tester, family.shapes);
  // The queries have the same names and options in both dimensions.
  return { ...family, tester } as unknown as Scene & { tester: Tester };
}

async function compare(
  tester: Tester,
  query: Query,
  { bodies, pairs, duration }: Scene,
  comparison: HalvesComparison,
): Promise<void> {
  const options = query === 'impacts' ? { duration } : {};
  const ask = async (some: Uint32Array): Promise<Record<string, unknown>> =>
    (await tester[query](bodies, some, { ...options, bodies: true } as never)) as never;
  const whole = await ask(pairs);
  comparison.hits += whole.hits as number;
  for (let first = 0; first < PAIRS; first += HALF) {
    const half = await ask(pairs.subarray(2 * first, 2 * (first + HALF)));
    for (const [name, expected] of Object.entries(half)) {
      if (name === 'pair' || !isNumbers(expected)) continue;
      const found = whole[name] as Numbers;
      const start = (expected.length / HALF) * first;
      const wrong = expected.findIndex((value, i) => !Object.is(found[start + i], value));
      comparison.arrays++;
      if (wrong >= 0)
        comparison.faults.push(
          `${query}, ${name}[${start + wrong}]: ${found[start + wrong]}, expected ${expected[wrong]}`,
        );
    }
  }
}

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value);
}
