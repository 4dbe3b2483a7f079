/** Bad velocities of the plane that only the GPU sees, as invalid-input.test.ts has bad poses. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, QueryRequest } from '../../src/request/backend.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { planarRecords } from '../../src/records/layout.ts';
import { planarPlanner } from '../../src/gpu/planar-plan.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { Status } from '../../src/api/types.ts';
import { mixPlanarBadPairs } from '../browser/bad-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const mixed = mixPlanarBadPairs('circle/rectangle', 300, 20_261_310);

let device: GPUDevice;
let backend: Backend;
beforeAll(async () => {
  device = await openDefaultDevice('planar-invalid-motion.device');
  backend = createGpuBackend(await openDevice(undefined, { device }), {}, dimension2, planarPlanner);
});
afterAll(() => {
  backend?.dispose();
  device?.destroy();
});

test('velocities that are no numbers, and turns beyond 32 radians, are invalid for their own pairs alone', async () => {
  const { family } = mixed;
  const count = family.bodies.shapes.length;
  const linear = new Float32Array(2 * count).fill(0.5);
  const angular = new Float32Array(count).fill(1);
  const ask = async (): Promise<number[][]> => {
    const records: number[][] = [];
    const words = planarRecords.sizes.impacts.words;
    const request: QueryRequest = {
      query: 'impacts',
      dimension: dimension2,
      bodies: family.bodies,
      pairs: family.pairs,
      shapes: mixed.shapes,
      leadStage: 'sat',
      margin: 0,
      hitsOnly: false,
      motion: { linear, angular, duration: 1 },
    };
    await withoutErrors(device, () =>
      backend.run(request, {
        write: ({ records: all, recordCount }) => {
          for (let i = 0; i < recordCount; i++) records.push(Array.from(new Uint32Array(all, 4 * words * i, words)));
        },
        count() {},
      }),
    );
    return records;
  };
  const clean = await ask();
  const bad = new Map([
    [3, NaN],
    [10, Infinity],
    [21, 33],
    [30, -33],
    [41, 1e38],
  ]);
  for (const [body, spin] of bad) angular[body] = spin;
  linear[2 * 50] = NaN;
  linear[2 * 61 + 1] = -Infinity;
  linear.fill(3e38, 2 * 70, 2 * 70 + 1);
  linear.fill(-3e38, 2 * 71, 2 * 71 + 1);
  const badPairs = new Set([...bad.keys(), 50, 61, 70].map((body) => body >> 1));
  const { info } = planarRecords.sizes.impacts;
  (await ask()).forEach((record, pair) => {
    if (badPairs.has(pair))
      expect(record, `pair ${pair}`).toEqual(record.map((_, word) => (word === info ? Status.InvalidInput : 0)));
    else expect(record, `pair ${pair}`).toEqual(clean[pair]);
  });
});
