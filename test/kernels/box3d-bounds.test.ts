/** Boxes recorded from scenes of Box3D (test/fixtures/box3d-bounds), on the device and on the CPU. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { box3dScene, BOX3D_SCENES } from '../helpers/box3d-scene.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { openBroadPhase, type DeviceBroadPhase } from '../helpers/broad-phase.ts';
import { pairFaults } from '../helpers/pair-judge.ts';

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

test.each(BOX3D_SCENES)('the pairs of %s are those of brute force', async (name) => {
  const text = readFileSync(new URL(`../fixtures/box3d-bounds/${name}.txt`, import.meta.url), 'utf8');
  const { shapes, bodies } = box3dScene(text);
  using tester = await createTester({ backend: 'cpu', threads: 1 });
  for (const shape of shapes) tester.addShape(shape);
  const expected = await tester.findPairs(bodies);
  expect(expected.length).toBeGreaterThan(bodies.shapes.length);
  expect(pairFaults(shapes, oracleBodies(shapes, bodies), expected, 0)).toEqual([]);
  expect(await broadPhase.find({ shapes, bodies })).toEqual(expected);
});
