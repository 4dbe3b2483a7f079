/** Frames on the GPU: the bodies move, no pair is lost, and every subject answers. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tester } from '../../src/api/types.ts';
import { createTester } from '../../src/node.ts';
import { setRests } from '../rests.ts';
import { createGpuFrame, hasRoomFor } from './gpu-frame.ts';
import { measureFrames, type FrameCase } from './measure.ts';
import { movedPosition } from './mover.ts';
import { createRapierFrame } from './rapier-frame.ts';
import { FRAME_SCENES, makeFrameScene } from './scenes.ts';

const SEED = 3;

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  setRests(tester.adapter.isSoftware);
});
afterAll(() => tester?.dispose());

it('all scenes are measured by every subject, and the GPU finds the pairs that the host finds', async () => {
  const cases: FrameCase[] = [];
  const settings = {
    scenes: FRAME_SCENES,
    sizes: [300],
    rounds: 1,
    seed: SEED,
    say() {},
    createRapier: createRapierFrame,
  };
  await measureFrames(tester, settings, cases);
  expect(cases.map(({ scene }) => scene)).toEqual(FRAME_SCENES);
  for (const { pairs, pairsOfHost, hits, frame, host, rapier, bytesPerBody, bodies } of cases) {
    expect(pairs).toBe(pairsOfHost);
    expect(pairs).toBeGreaterThan(bodies);
    expect(hits).toBeGreaterThan(bodies);
    for (const part of [frame, host, rapier]) for (const ms of Object.values(part!)) expect(ms).toBeGreaterThan(0);
    expect(bytesPerBody).toBeGreaterThan(100);
  }
});

it('bodies move on the GPU as they do for Rapier', async () => {
  const scene = makeFrameScene('heap', 2000, SEED);
  const shape = tester.addShape({ type: 'box', halfExtents: scene.halfExtents });
  const { device } = await tester.createBatch({ query: 'pairs', maxBodies: 1, maxPairs: 1 });
  const frame = await createGpuFrame(tester, device, scene, 'pairs', 20_000, shape);
  for (const number of [0, 5]) {
    const { candidates } = (await frame.run(number)).counts;
    const positions = Float32Array.from([...scene.scales.keys()].flatMap((i) => movedPosition(scene, i, number)));
    const { count, quaternions, scales } = scene;
    const shapes = new Uint32Array(count).fill(shape);
    const pairs = await tester.findPairs({ shapes, positions, quaternions, scales });
    // Sines differ in their last bits.
    expect(Math.abs(candidates! - pairs.length / 2), `frame ${number}`).toBeLessThanOrEqual(number === 0 ? 0 : 3);
  }
  expect(hasRoomFor(device, 'manifolds', 2 ** 40)).toBe(false);
  frame.dispose();
});
