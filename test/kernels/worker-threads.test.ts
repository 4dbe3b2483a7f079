/** The built package on Dawn in a worker thread of Node, beside a tester of the main thread. */

import { Worker, SHARE_ENV } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { ballDistance, ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';

/** Runs in the worker: distances of the pairs that it is given, from a query and from a batch. */
const program = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { createTester } = await import(workerData.address);
  const { bodies, pairs, shape } = workerData;
  const tester = await createTester({ backend: 'webgpu' });
  tester.addShape(shape);
  const queried = await tester.contacts(bodies, pairs, { margin: Infinity });
  const room = { maxBodies: bodies.shapes.length, maxPairs: pairs.length / 2 };
  const batch = await tester.createBatch({ query: 'contacts', ...room, margin: Infinity });
  batch.write({ bodies, pairs });
  const encoder = batch.device.createCommandEncoder();
  batch.encode(encoder);
  batch.device.queue.submit([encoder.finish()]);
  const read = await batch.read();
  parentPort.postMessage({ backend: tester.backend, queried: queried.distance, read: read.distance });
  tester.dispose();
`;

test('a worker thread asks a query and runs a batch while the main thread asks its own', async () => {
  const pairs = ballPairs(3000);
  const address = new URL('../../dist/node.js', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    // Dawn's Vulkan loader reads the process's environment, of which a worker has a copy otherwise.
    env: SHARE_ENV,
    workerData: { address, bodies: balls, pairs, shape: ballShapes[0] },
  });
  const answered = new Promise<{ backend: string; queried: Float32Array; read: Float32Array }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, ballShapes);
  const { distance } = await tester.contacts(balls, pairs, { margin: Infinity });
  const { backend, queried, read } = await answered;
  expect(backend).toBe('webgpu');
  expect(queried).toEqual(distance);
  expect(read).toEqual(distance);
  expect(distance.every((value, pair) => Math.abs(value - ballDistance(pairs, pair)) < 1e-5)).toBe(true);
  expect(await ended).toBe(0);
  tester.dispose();
});
