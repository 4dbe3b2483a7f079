import { test } from 'vitest';
import { familyNames, makeFamily, makeStructuredFamily, structuredFamilyNames, poseOf } from '../families.ts';
import { judgeContact, oracleShape } from '../oracle/index.ts';
import { contact, distance, createShape, intersects } from '../../src/cpu/index.ts';

test('explore', () => {
  for (const name of [...familyNames, ...structuredFamilyNames]) {
    const n = 1500;
    const family = structuredFamilyNames.includes(name as never) ? makeStructuredFamily(name as never, n, 101) : makeFamily(name as never, n, 101);
    const o = family.shapes.map(oracleShape);
    const c = family.shapes.map((s) => createShape(s));
    for (const algorithm of ['gjk', 'auto'] as const) {
    let bad = 0; let nc = 0; let it = 0; let t0 = performance.now(); let ta = 0; const msgs: string[] = [];
    for (let i = 0; i < n; i++) {
      const [a, b] = [family.pairs[2*i], family.pairs[2*i+1]];
      const [sa, sb] = [family.bodies.shapes[a], family.bodies.shapes[b]];
      const [pa, pb] = [poseOf(family, a), poseOf(family, b)];
      const t1 = performance.now();
      const r = contact(c[sa], pa, c[sb], pb, { algorithm, margin: Infinity });
      ta += performance.now() - t1;
      it += r.iterations;
      if (r.status === 2) nc++;
      const f = judgeContact(o[sa], pa, o[sb], pb, r, 1e-9, { points: 'f64' });
      if (f.length) { bad++; if (msgs.length < 3) msgs.push(`pair ${i}: ${f.join('; ')}`); }
    }
    console.log(name, algorithm, 'bad', bad, 'nc', nc, 'iter', it / n, 'judge+all ms', Math.round(performance.now() - t0), 'algo ms', Math.round(ta), msgs.join('\n'));
    }
  }
}, 600000);
