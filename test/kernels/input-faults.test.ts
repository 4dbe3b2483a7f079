/**
 * Large queries are refused as small ones are: the device's check and the host's name the same fault, the first one of
 * several, and neither touches a target. Numbers at the limits are accepted by both.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { below, createRandom } from '../../verification/families/random.ts';
import { differingFields, testerOfBothPaths, type BothPaths } from '../helpers/both-paths.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import {
  REMOVED,
  faultsOf,
  makeBodies,
  makeScene,
  outcomeOf,
  pick,
  randomAsk,
  shapesOf,
  type Ask,
} from '../helpers/spoiled-scenes.ts';

const SEED = 20_261_130;
const RUNS = 120;
const PAIRS = 600;
/** Bodies of the smallest large query, and of larger ones. Most are in no pair. */
const BODY_COUNTS = [2 ** 15 - PAIRS, 2 ** 15 - PAIRS + 1, 40_000];

describe.each(dimensions)('$name', (dimension) => {
  let device: GPUDevice;
  let paths: BothPaths;
  beforeAll(async () => {
    device = await openDefaultDevice('input-faults.device');
    paths = await testerOfBothPaths(dimension.axes, { device });
    dimension.useShapes(paths.tester, shapesOf(dimension));
    paths.tester.removeShape(REMOVED);
  });
  afterAll(() => {
    paths?.tester.dispose();
    device?.destroy();
  });

  /** Asks on both paths. Gives the message, or undefined if there is an answer. */
  async function expectSame(what: string, ask: Ask): Promise<string | undefined> {
    const before = paths.unchecked();
    paths.take('device');
    const found = await outcomeOf(paths.tester, ask);
    paths.take('host');
    const expected = await outcomeOf(paths.tester, ask);
    expect(found.message, what).toBe(expected.message);
    if (found.result) expect(differingFields(found.result, expected.result!), what).toEqual([]);
    else expect([found.isTouched, expected.isTouched], what).toEqual([false, false]);
    // The host checks pairs for SAT itself.
    expect(paths.unchecked() - before, what).toBe('algorithm' in ask.options ? 0 : 1);
    return found.message;
  }

  const faults = faultsOf(dimension);

  test.each(faults)('$name', async ({ name, values, put }) => {
    const seen = new Set<boolean>();
    await withoutErrors(device, async () => {
      for (const value of values) {
        for (const isWide of name === 'position' ? [false, true] : [false]) {
          const random = createRandom(SEED);
          const scene = makeScene(dimension, random, { bodyCount: BODY_COUNTS[0], pairCount: PAIRS, isWide });
          put(scene, pick(random, [0, below(random, BODY_COUNTS[0]), BODY_COUNTS[0] - 1]), value);
          const bodies = makeBodies(scene, true);
          const what = `${isWide ? '64-bit ' : ''}${value}`;
          const message = await expectSame(what, { ...bodies, name: 'impacts', options: { duration: 1 } });
          expect(message ?? 'INVALID_INPUT', what).toMatch(/^INVALID_INPUT/);
          seen.add(message === undefined);
        }
      }
    });
    // In 2-D every finite angle is valid, however small.
    expect(seen.has(false)).toBe(name !== 'only component of a rotation' || dimension.axes === 3);
  });

  test('several at once', async () => {
    let answered = 0;
    let refused = 0;
    await withoutErrors(device, async () => {
      for (let run = 0; run < RUNS; run++) {
        const random = createRandom(SEED + run);
        const bodyCount = pick(random, BODY_COUNTS);
        const scene = makeScene(dimension, random, { bodyCount, pairCount: PAIRS, isWide: random() < 0.5 });
        const last = scene.shapes.length - 1;
        const chosen = Array.from({ length: below(random, 5) }, () => pick(random, faults));
        for (const { put, values } of chosen)
          put(scene, pick(random, [0, last, below(random, last)]), pick(random, values));
        const names = chosen.map(({ name }) => name).join(', ');
        const ask = randomAsk(scene, random() < 0.2 || names.includes('velocity'));
        const message = await expectSame(`seed ${SEED}, run ${run}: ${ask.name} with ${names || 'no fault'}`, ask);
        if (message === undefined) answered++;
        else refused++;
      }
    });
    expect(Math.min(answered, refused)).toBeGreaterThan(RUNS / 10);
  });
});
