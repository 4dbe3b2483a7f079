import { test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { frame } from '../helpers/batch.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';
import { bodiesOf, useShapesOf } from '../helpers/part-batches.ts';
test('lists', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  let before: any; const margin = 0.1;
  const lines: string[] = [];
  const batches: any = {};
  const sums: any = {};
  for (let seed = 1; seed <= 25; seed++) {
    const scene = makePartsScene(seed, 16, 60);
    scene.shapes = scene.shapes.map((s) => s.type === 'compound' ? { ...s, parts: s.parts.map((p: any, i: number) => ({ ...p, position: [i * 2.5, p.position[1], p.position[2]] })) } : s) as never;
    useShapesOf(scene, [tester, cpu], before); before = scene;
    const bodies = bodiesOf(scene);
    for (const query of ['contacts', 'manifolds'] as const) {
      batches[query] ??= await tester.createBatch({ query, results: 'hits', parts: 'all', maxBodies: 16, maxPairs: 60, maxPartPairs: 20000, margin } as never);
      await batches[query].prepare();
      const f: any = await frame(batches[query], { bodies, pairs: scene.pairs });
      const w: any = await (cpu as any)[query](bodies, scene.pairs, { margin, parts: 'all' });
      const key = (r: any, i: number) => `${r.pair[i]} ${r.partA[i]} ${r.partB[i]}`;
      const mine = new Map(Array.from({ length: f.count }, (_, i) => [key(f, i), i]));
      const theirs = new Map(Array.from({ length: w.count }, (_, i) => [key(w, i), i]));
      const s = (sums[query] ??= { mine: 0, theirs: 0, extra: 0, missing: 0, other: 0, points: 0, unsorted: 0 });
      s.mine += f.count; s.theirs += w.count;
      for (let i = 1; i < f.count; i++) if (f.pair[i] < f.pair[i-1] || (f.pair[i] === f.pair[i-1] && (f.partA[i] < f.partA[i-1] || (f.partA[i] === f.partA[i-1] && f.partB[i] <= f.partB[i-1])))) s.unsorted++;
      const d = query === 'contacts' ? 'distance' : 'contactDistance';
      const kinds = (pair: number) => [0, 1].map((k) => { const t = scene.shapes[bodies.shapes[scene.pairs[2 * pair + k]]].type; return t; }).join('-');
      for (const [k, i] of mine) { const j = theirs.get(k); if (j === undefined) { if (f[d][i] < margin - 1e-4) { s.extra++; if (lines.length < 40) lines.push(`${query} ${seed} extra ${k} ${kinds(f.pair[i])} ${f[d][i]} st ${f.status[i]}`); } continue; }
        const cos = [0, 1, 2].reduce((x, q) => x + f.normal[3 * i + q] * w.normal[3 * j + q], 0);
        if (Math.abs(f[d][i] - w[d][j]) > 2e-4 + 1e-3 * Math.abs(w[d][j])) { s.other++; if (lines.length < 40) lines.push(`${query} ${seed} other ${k} ${kinds(f.pair[i])} ${f[d][i]} | ${w[d][j]} cos ${cos} st ${f.status[i]} ${w.status[j]}`); }
        else if (query === 'manifolds' && f.pointCount[i] !== w.pointCount[j]) s.points++;
      }
      for (const [k, j] of theirs) if (!mine.has(k) && w[d][j] < margin - 1e-4) { s.missing++; if (lines.length < 40) lines.push(`${query} ${seed} missing ${k} ${kinds(w.pair[j])} ${w[d][j]}`); }
      if (seed === 1) console.log(await batches[query].readCounts(), f.statusCounts, w.statusCounts);
    }
  }
  console.log(sums, '\n' + lines.join('\n'));
  tester.dispose(); cpu.dispose();
});
