import { test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { frame } from '../helpers/batch.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';
import { bodiesOf, useShapesOf } from '../helpers/part-batches.ts';
test('scenes', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  let before: any; let n = 0, hits = 0, bad = 0, ms = 0;
  const lines: string[] = [];
  const perKind: Record<string, [number, number]> = {};
  const margin = 0.1;
  let batch: any;
  for (let seed = 1; seed <= 30; seed++) {
    const scene = makePartsScene(seed, 16, 60);
    scene.shapes = scene.shapes.map((s) => s.type === 'compound' ? { ...s, parts: s.parts.map((p: any, i: number) => ({ ...p, position: [i * 2.5, p.position[1], p.position[2]] })) } : s) as never;
    useShapesOf(scene, [tester, cpu], before); before = scene;
    batch ??= await tester.createBatch({ query: 'contacts', maxBodies: 16, maxPairs: 60, maxPartPairs: 20000, margin } as never);
    await batch.prepare();
    const bodies = bodiesOf(scene);
    const f: any = await frame(batch, { bodies, pairs: scene.pairs });
    const w: any = await cpu.contacts(bodies, scene.pairs, { margin });
    for (let i = 0; i < 60; i++) {
      const kinds = [0, 1].map((k) => { const t = scene.shapes[bodies.shapes[scene.pairs[2 * i + k]]].type; return t === 'mesh' || t === 'compound' || t === 'halfspace' ? t : 'convex'; }).sort().join('-');
      const r = (perKind[kinds] ??= [0, 0]);
      const isHit = w.distance[i] <= margin;
      if (!isHit && f.distance[i] > margin - 1e-4) continue;
      n++; r[0]++;
      const cos = [0, 1, 2].reduce((s, k) => s + f.normal[3 * i + k] * w.normal[3 * i + k], 0);
      if (Math.abs(f.distance[i] - w.distance[i]) > 2e-4 + 1e-3 * Math.abs(w.distance[i]) ) { bad++; r[1]++; lines.push(`${seed} ${i} ${kinds} st ${f.status[i]} ${f.distance[i]} | ${w.status[i]} ${w.distance[i]} cos ${cos}`); }
    }
  }
  console.log(`${n} hits, ${bad} other`, perKind, '\n' + lines.slice(0, 60).join('\n'));
  tester.dispose(); cpu.dispose();
});
