/** Runs in the page: queries and batches of arrays that lie in memory which can be resized. */

import { memories, inMemory, type Memory } from '../helpers/memory.ts';
import { createTester } from './testers.ts';

/** What a page may have: memory is shared only where it is isolated from other origins. */
const resizable = memories.filter((memory) => memory.includes('resizable'));

/** Distances of a query and of a batch in each kind of memory, in space and in the plane. */
export async function answerFromMemory(): Promise<{ memory: Memory; distances: number[][] }[]> {
  const space = await createTester({ backend: 'webgpu' });
  const plane = await createTester({ backend: 'webgpu', dimension: 2 });
  const ball = space.addShape({ type: 'sphere', radius: 0.5 });
  const disc = plane.addShape({ type: 'circle', radius: 0.5 });
  const pairs = Uint32Array.of(0, 1, 0, 2);
  const room = { query: 'contacts', maxBodies: 3, maxPairs: 2, margin: Infinity } as const;
  const spaceBatch = await space.createBatch(room);
  const planeBatch = await plane.createBatch(room);
  const answers: { memory: Memory; distances: number[][] }[] = [];
  for (const memory of resizable) {
    const given = inMemory(
      {
        shapes: new Uint32Array(3).fill(ball),
        positions: Float32Array.of(0, 0, 0, 0.75, 0, 0, 0, 2, 0),
        quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      },
      memory,
    );
    const flat = inMemory(
      {
        shapes: new Uint32Array(3).fill(disc),
        positions: Float32Array.of(0, 0, 0.75, 0, 0, 2),
        angles: new Float32Array(3),
      },
      memory,
    );
    const pairsThere = inMemory(pairs, memory);
    const distances: number[][] = [];
    for (const [tester, batch, bodies] of [
      [space, spaceBatch, given],
      [plane, planeBatch, flat],
    ] as const) {
      const { distance } = await tester.contacts(bodies as never, pairsThere, { margin: Infinity });
      batch.write({ bodies: bodies as never, pairs: pairsThere });
      const encoder = batch.device.createCommandEncoder();
      batch.encode(encoder);
      batch.device.queue.submit([encoder.finish()]);
      const target = inMemory({ ...(await batch.read()) }, memory);
      distances.push([...distance], [...(await batch.read({ target: target as never })).distance]);
    }
    answers.push({ memory, distances });
  }
  space.dispose();
  plane.dispose();
  return answers;
}
