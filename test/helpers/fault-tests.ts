/** Tests of two ways of asking that refuse the same queries, by every fault of spoiled-scenes.ts and by several at once. */

import { expect, test } from 'vitest';
import { below, createRandom } from '../../verification/families/random.ts';
import { differingFields } from './both-paths.ts';
import type { Dimension } from './dimensions.ts';
import { faultsOf, makeBodies, makeScene, pick, randomAsk, type Ask, type Outcome } from './spoiled-scenes.ts';

export interface TwoWays {
  dimension: Dimension;
  seed: number;
  /** Queries with several faults. */
  runs: number;
  /** Sizes of scenes; single faults are put into the first. */
  bodyCounts: readonly number[];
  pairCount: number;
  /** The outcomes of a query by both ways, the trusted one last. */
  askBoth(what: string, ask: Ask): Promise<[found: Outcome, expected: Outcome]>;
}

export function testFaults({ dimension, seed, runs, bodyCounts, pairCount, askBoth }: TwoWays): void {
  /** Asks both ways. Gives the message, or undefined if there is an answer. */
  async function expectSame(what: string, ask: Ask): Promise<string | undefined> {
    const [found, expected] = await askBoth(what, ask);
    expect(found.message, what).toBe(expected.message);
    if (found.result) expect(differingFields(found.result, expected.result!), what).toEqual([]);
    else expect([found.isTouched, expected.isTouched], what).toEqual([false, false]);
    return found.message;
  }

  const faults = faultsOf(dimension);

  test.each(faults)('$name', async ({ name, values, put }) => {
    const [bodyCount] = bodyCounts;
    const seen = new Set<boolean>();
    for (const value of values) {
      for (const isWide of name === 'position' ? [false, true] : [false]) {
        const random = createRandom(seed);
        const scene = makeScene(dimension, random, { bodyCount, pairCount, isWide });
        put(scene, pick(random, [0, below(random, bodyCount), bodyCount - 1]), value);
        const bodies = makeBodies(scene, true);
        const what = `${isWide ? '64-bit ' : ''}${value}`;
        const message = await expectSame(what, { ...bodies, name: 'impacts', options: { duration: 1 } });
        expect(message ?? 'INVALID_INPUT', what).toMatch(/^INVALID_INPUT/);
        seen.add(message === undefined);
      }
    }
    // In 2-D every finite angle is valid, however small. A body that turns too far makes its pairs invalid, not the query.
    const isRefused = name !== 'angular velocity' && (name !== 'only component of a rotation' || dimension.axes === 3);
    expect(seen.has(false)).toBe(isRefused);
    expect(seen.has(true)).toBe(!['shape', 'index in a pair'].includes(name));
  });

  test('several at once', async () => {
    let answered = 0;
    let refused = 0;
    for (let run = 0; run < runs; run++) {
      const random = createRandom(seed + run);
      const bodyCount = pick(random, bodyCounts);
      const scene = makeScene(dimension, random, { bodyCount, pairCount, isWide: random() < 0.5 });
      const last = bodyCount - 1;
      const chosen = Array.from({ length: below(random, 5) }, () => pick(random, faults));
      for (const { put, values } of chosen)
        put(scene, pick(random, [0, last, below(random, last)]), pick(random, values));
      const names = chosen.map(({ name }) => name).join(', ');
      const ask = randomAsk(scene, random() < 0.2 || names.includes('velocity'));
      const message = await expectSame(`seed ${seed}, run ${run}: ${ask.name} with ${names || 'no fault'}`, ask);
      if (message === undefined) answered++;
      else refused++;
    }
    expect(Math.min(answered, refused)).toBeGreaterThan(runs / 10);
  });
}
