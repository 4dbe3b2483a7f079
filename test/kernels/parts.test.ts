/** Compounds and meshes on a GPU beside the CPU backend, and in batches that do not take them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { submit } from '../helpers/batch.ts';
import { compareParts } from '../helpers/compare-parts.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

let device: GPUDevice;
let tester: Tester;
let reference: Tester;
beforeAll(async () => {
  device = await openDefaultDevice('parts.device');
  tester = await createTester({ device });
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  tester.dispose();
  reference.dispose();
  device.destroy();
});

test('all queries have the answers of the CPU backend, within the tolerance', async () => {
  const seed = 20_261_125;
  const { answers, overlaps, faults } = await compareParts(tester, reference, seed);
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(answers).toBeGreaterThan(4000);
  expect(overlaps).toBeGreaterThan(500);
});

test('in a batch of impacts a pair with a mesh or a compound is invalid, and the others are answered', async () => {
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
  const compound = tester.addShape({ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] });
  const bodies = {
    shapes: Uint32Array.of(ball, ball, mesh, compound),
    positions: new Float32Array(12),
    quaternions: Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
  bodies.positions[3] = 1.5;
  const batch = await tester.createBatch({ query: 'impacts', maxBodies: 4, maxPairs: 3, duration: 1 });
  const linearVelocities = new Float32Array(12);
  batch.write({ bodies: { ...bodies, linearVelocities }, pairs: Uint32Array.of(0, 1, 0, 2, 3, 1) });
  submit(batch);
  const { status, time } = await batch.read();
  expect(Array.from(status)).toEqual([Status.Overlapping, Status.InvalidInput, Status.InvalidInput]);
  expect(time[0]).toBe(0);
  batch.dispose();
  for (const id of [ball, mesh, compound]) tester.removeShape(id);
});

test('prepare compiles what queries over parts need', async () => {
  const other = await createTester({ backend: 'webgpu' });
  const compound = other.addShape({
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [1, 1, 1] } },
      { shape: { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2] } },
    ],
  });
  const bodies = {
    shapes: Uint32Array.of(compound, compound),
    positions: Float32Array.of(0, 0, 0, 0.5, 0.3, 0.2),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  await other.prepare({ query: 'contacts' });
  const { count } = await other.contacts(bodies, Uint32Array.of(0, 1), { parts: 'all' });
  expect(count).toBeGreaterThan(1);
  other.dispose();
});
