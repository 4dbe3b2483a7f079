import { test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { frame } from '../helpers/batch.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import { createSurfaceJudge, SURFACE_FAULTS } from '../../verification/judges/surface-contacts.ts';

const CASES = Number(process.env.CASES ?? 40);
const ONLY = process.env.FAMILY ?? '';
const SEED = Number(process.env.SEED ?? 43);
test('families', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  const sums: Record<string, number> = {};
  let all = 0, differs = 0;
  for (const name of surfaceFamilyNames.filter((n) => !n.startsWith('compound') && n.includes(ONLY))) {
    const family = makeSurfaceFamily(name, CASES, SEED);
    const { ground, cases } = family;
    const descriptions = [...new Set(cases.map(({ shape }) => shape))];
    const ids = [ground, ...descriptions].map((shape) => (cpu.addShape(shape), tester.addShape(shape)));
    const bodies = {
      shapes: Uint32Array.of(ids[0], ...cases.map(({ shape }) => ids[1 + descriptions.indexOf(shape)])),
      positions: Float32Array.of(0, 0, 0, ...cases.flatMap(({ position }) => position)),
      quaternions: Float32Array.of(0, 0, 0, 1, ...cases.flatMap(({ quaternion }) => quaternion)),
    };
    const pairs = Uint32Array.from(cases.flatMap((_, i) => [0, i + 1]));
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: cases.length + 1, maxPairs: cases.length, maxPartPairs: 2000 * cases.length });
    const found = await frame(batch, { bodies, pairs });
    const { partPairs, partPairOverflow } = await batch.readCounts();
    const want = await cpu.contacts(bodies, pairs);
    batch.dispose();
    for (const id of ids) { tester.removeShape(id); cpu.removeShape(id); }
    const judge = createSurfaceJudge(family);
    const counts: Record<string, number> = {};
    const bad: string[] = [];
    let judged = 0, other = 0;
    cases.forEach((body, i) => {
      const item = (r: typeof found) => ({ depth: -r.distance[i], normal: [...r.normal.subarray(3 * i, 3 * i + 3)], point: [...r.pointA.subarray(3 * i, 3 * i + 3)] });
      const contact = item(found);
      const w = item(want as never);
      const faults = judge.judge(body, { contact, list: [contact], pointCounts: [1] });
      if (!faults) return;
      judged++;
      const cos = contact.normal.reduce((s, x, k) => s + x * w.normal[k], 0);
      const isOther = Math.abs(contact.depth - w.depth) > 1e-3 * Math.abs(w.depth) + 2e-6 || cos < 0.999;
      if (isOther) other++;
      const wf = judge.judge(body, { contact: w, list: [w], pointCounts: [1] })!;
      const own = faults.filter((f) => !f.startsWith('slot'));
      for (const f of own) counts[f] = (counts[f] ?? 0) + 1;
      if (own.length > 0 || isOther) bad.push(`   ${i} ${body.shape.type} ${own} status ${found.status[i]} depth ${contact.depth.toPrecision(5)} n ${contact.normal.map((x) => x.toFixed(4))} | cpu ${w.depth.toPrecision(5)} n ${w.normal.map((x) => x.toFixed(4))} ${wf}`);
    });
    all += judged; differs += other;
    for (const [k, v] of Object.entries(counts)) sums[k] = (sums[k] ?? 0) + v;
    console.log(`${name}: ${judged} cases, ${partPairs} part pairs (${partPairOverflow} over), other ${other}, ${JSON.stringify(counts)}\n${bad.slice(0, 12).join('\n')}`);
  }
  console.log(`ALL ${all} other ${differs} ${JSON.stringify(sums)}`, Object.keys(SURFACE_FAULTS));
  tester.dispose(); cpu.dispose();
});
