/**
 * Batches that find pairs in browsers: each kernel runs on few bodies.
 * test/night/browser/pairs.test.ts has more of them.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled, expectPairs, expectScenes } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  // So few that a batch tests all pairs. The grid finds those of larger scenes.
  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(opened, 3, { count: 400, seed: 20_261_127 }),
  );

  test('pairs of scenes are those of the CPU, with the same bits again', { timeout: CALL_TIMEOUT }, () =>
    expectScenes(opened, ['mixed', 'strays', 'halfspaces'], { count: 600, seed: 20_261_129 }, []),
  );

  // This test needs those above it.
  test('every kernel has compiled', async () => {
    await expectCompiled(opened, which, 'pairs');
  });
});
