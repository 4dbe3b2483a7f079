/** A module worker: a tester of the built package, a query and a batch, all off the page's own thread. */

import type * as Narrowphase from '../../src/index.ts';

/** Posted once. */
export interface WorkerReport {
  backend: string;
  /** Distances of the query and of each frame of the batch. */
  queried: number[];
  frames: number[][];
  /** Whether the worker has a document: then it is none. */
  hasDocument: boolean;
  error?: string;
}

async function run(): Promise<WorkerReport> {
  // Workers have no import map.
  const address = '/dist/index.js';
  const { createTester }: typeof Narrowphase = await import(/* @vite-ignore */ address);
  const tester = await createTester({ backend: 'webgpu' });
  const shape = tester.addShape({ type: 'sphere', radius: 0.5 });
  const bodies = {
    shapes: Uint32Array.of(shape, shape, shape),
    positions: Float32Array.of(0, 0, 0, 0.75, 0, 0, 0, 2, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const pairs = Uint32Array.of(0, 1, 0, 2);
  const { distance } = await tester.contacts(bodies, pairs, { margin: Infinity });
  const batch = await tester.createBatch({ query: 'contacts', maxBodies: 3, maxPairs: 2, margin: Infinity });
  const frames: number[][] = [];
  for (let frame = 0; frame < 3; frame++) {
    bodies.positions[3] = 0.75 + 0.25 * frame;
    batch.write({ bodies, pairs });
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    frames.push([...(await batch.read()).distance]);
  }
  const report = { backend: tester.backend, queried: [...distance], frames, hasDocument: 'document' in globalThis };
  tester.dispose();
  return report;
}

run().then(
  (report) => postMessage(report),
  (error: unknown) =>
    postMessage({
      backend: '',
      queried: [],
      frames: [],
      hasDocument: false,
      error: String(error),
    } satisfies WorkerReport),
);
