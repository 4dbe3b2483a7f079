/** Manifolds frame after frame, under a solver that has nothing else to hold boxes by. */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import {
  FRAMES,
  MARGIN,
  boxStack,
  drift,
  simulate,
  tiledFloor,
  watchManifolds,
  type BoxScene,
  type Watch,
} from '../helpers/stack.ts';

const SHOWN = FRAMES;

/** What the reference sees in a scene. */
async function run(scene: BoxScene, frames: number, see: (frame: number) => void = () => {}): Promise<Watch> {
  const tester = await createTester({ backend: 'cpu' });
  for (const shape of scene.shapes) tester.addShape(shape);
  const watch = watchManifolds();
  await simulate(
    scene,
    (bodies, pairs) => tester.manifolds(bodies, pairs, { margin: MARGIN }),
    (found, frame) => {
      watch.see(found, frame);
      see(frame);
    },
    frames,
  );
  tester.dispose();
  return watch;
}

test('five boxes, each tilted by 1e-4, keep four points and stand where they settled', async () => {
  const scene = boxStack();
  let settled: number[][] = [];
  const { counts, flips } = await run(scene, SHOWN, (frame) => {
    if (frame === 120) settled = scene.bodies.map(({ position }) => [...position]);
  });
  expect([...counts.values()]).toEqual([[4], [4], [4], [4], [4]]);
  expect(flips).toEqual([]);
  expect(drift(scene.bodies, settled)).toBeLessThan(1e-3);
});

describe('a box that slides over tiles', () => {
  test.each([
    ['straight', 0, SHOWN],
    ['yawed', 0.35, 800],
  ] as const)('%s, is carried by all of them and stopped by none', async (_, yaw, frames) => {
    const scene = tiledFloor(yaw);
    const box = scene.bodies.at(-1)!;
    const [x, y, z] = box.position;
    const { counts, flickers, flips } = await run(scene, frames);
    expect(flickers).toEqual([]);
    expect(flips).toEqual([]);
    expect([...counts.values()].filter((seen) => seen.includes(4)).length).toBeGreaterThan(frames / 60);
    // Against its path without a floor to hinder it.
    const off = Math.hypot(box.position[0] - x - (0.6 * frames) / 60, box.position[1] - y, box.position[2] - z);
    expect(off).toBeLessThan(1e-3);
  });
});
