/**
 * Overlaps of a run that a tolerance does not allow although their reported depth is within it. The depth of two bodies of
 * which one is a compound or a mesh is that of their deepest parts, a lower bound: two thin-walled ducts may be through each
 * other. The clash check measures such pairs as solids.
 */

import { Status } from '../src/api/types.ts';
import { CORE_PARTS } from '../src/generated/constants.ts';
import { openCpu } from '../verification/engines/cpu.ts';
import { createTester } from '../src/node.ts';
import { CATEGORIES, FAILING } from './clash/categories.ts';
import { findClashes } from './clash/find-clashes.ts';
import { withHulls } from './clash/solids/convex-meshes.ts';
import { isWithin, type Hits } from './report/contacts.ts';

/** The slots of these overlaps. */
export async function findBounds(
  { scene, pairs, answer }: Hits,
  tolerance: number | undefined,
): Promise<ReadonlySet<number>> {
  const hasParts = (body: number): boolean => scene.shapeData[scene.bodies.shapes[body]].kind === CORE_PARTS;
  const slots: number[] = [];
  for (let slot = 0; slot < answer.count; slot++) {
    if (answer.status[slot] !== Status.Overlapping || !isWithin(tolerance, answer.distance?.[slot])) continue;
    const pair = answer.pair[slot];
    if (hasParts(pairs[2 * pair]) || hasParts(pairs[2 * pair + 1])) slots.push(slot);
  }
  if (slots.length === 0) return new Set();
  const asked = Uint32Array.from(slots.flatMap((slot) => [0, 1].map((end) => pairs[2 * answer.pair[slot] + end])));
  const solids = withHulls(scene);
  const engine = await openCpu();
  try {
    await engine.load(solids.scene.shapes, solids.scene.bodies);
    const { clashes } = await findClashes(
      {
        solids,
        engine,
        openReference: () => createTester({ backend: 'cpu' }),
        candidates: { pairs: asked, rules: new Uint16Array(slots.length), leftOut: { unmatched: 0, ignored: 0 } },
        limits: [{ tolerance: tolerance!, clearance: null }],
        range: { first: 0, end: slots.length },
      },
      () => {},
    );
    return new Set(
      Array.from(clashes.pair)
        .filter((_, i) => FAILING.includes(CATEGORIES[clashes.category[i]]))
        .map((pair) => slots[pair]),
    );
  } finally {
    await engine.close();
  }
}
