/**
 * Queries that the device checks are refused as those that the host checks: both name the same fault, the first one of
 * several, and neither touches a target. Numbers at the limits are accepted by both.
 */

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testerOfBothPaths, type BothPaths } from '../helpers/both-paths.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { testFaults } from '../helpers/fault-tests.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { REMOVED, outcomeOf, shapesOf, type Outcome } from '../helpers/spoiled-scenes.ts';

const SEED = 20_261_130;
const RUNS = atNight(15, 120);
const PAIRS = 200;
/** From so few on that all are in pairs. */
const BODY_COUNTS = atNight([200, 201], [1000, 1001, 10_000]);

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

  testFaults({
    dimension,
    seed: SEED,
    runs: RUNS,
    bodyCounts: BODY_COUNTS,
    pairCount: PAIRS,
    async askBoth(what, ask) {
      const before = paths.unchecked();
      const outcomes = await withoutErrors(device, async () => {
        paths.take('device');
        const found = await outcomeOf(paths.tester, ask);
        paths.take('host');
        return [found, await outcomeOf(paths.tester, ask)] as [Outcome, Outcome];
      });
      // The host checks pairs for SAT itself.
      expect(paths.unchecked() - before, what).toBe('algorithm' in ask.options ? 0 : 1);
      return outcomes;
    },
  });
});
