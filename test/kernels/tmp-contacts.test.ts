import { expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { frame } from '../helpers/batch.ts';

test('crate on floor', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  const ids = [tester, cpu].map((t) => [
    t.addShape({ type: 'mesh', positions: new Float32Array([-5, 0, -5, -5, 0, 5, 5, 0, 5, 5, 0, -5]), indices: new Uint32Array([0, 1, 2, 0, 2, 3]) }),
    t.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }),
    t.addShape({ type: 'sphere', radius: 0.5 }),
  ])[0];
  const [floor, box, ball] = ids;
  const batch = await tester.createBatch({ query: 'contacts', maxBodies: 8, maxPairs: 8, margin: 0.02 });
  const bodies = { shapes: Uint32Array.of(floor, box, ball, box, ball, box), positions: Float32Array.from([0,0,0, 1,0.49,0.3, -1,0.495,-1, 4.9,0.49,0, 2,0.51,1, 1.2,1.3,0.3]), quaternions: Float32Array.from({length: 24}, (_, i) => +(i % 4 === 3)) };
  const pairs = Uint32Array.of(0,1, 2,0, 0,2, 3,0, 0,4, 1,5, 0,5);
  const found = await frame(batch, { bodies, pairs });
  const want = await cpu.contacts(bodies, pairs, { margin: 0.02 });
  for (let i = 0; i < pairs.length / 2; i++) {
    const f = (r: typeof found) => `${r.status[i]} ${r.distance[i].toFixed(6)} n ${[...r.normal.subarray(3*i,3*i+3)].map((x) => x.toFixed(5))} a ${[...r.pointA.subarray(3*i,3*i+3)].map((x) => x.toFixed(5))} b ${[...r.pointB.subarray(3*i,3*i+3)].map((x) => x.toFixed(5))} f ${r.featureA?.[i]} ${r.featureB?.[i]}`;
    console.log(f(found)); console.log(f(want as never));
  }
  expect(found.hits).toBe(want.hits);
  tester.dispose(); cpu.dispose();
});
