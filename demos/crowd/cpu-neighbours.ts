/** How people react to the people and walls near them, as in wgsl/neighbours.wgsl. */

import type { CpuState } from './cpu-state.ts';
import { velocityOf } from './cpu-state.ts';
import { RULES } from './rules.ts';
import { avoidance } from './steering.ts';
import type { Vector } from './steering.ts';

/** Signed distances become accelerations and pushes. */
export async function near(state: CpuState): Promise<void> {
  const { tester, world, near: bodies, forces, pushes, totals } = state;
  const { people } = world;

  const pairs = await tester.findPairs(bodies, { margin: RULES.SIGHT });
  const found = await tester.contacts(bodies, pairs, {
    margin: RULES.SIGHT,
    results: 'hits',
    fields: ['pair', 'distance', 'normal'],
  });
  totals.nearPairs = pairs.length / 2;
  for (let slot = 0; slot < found.distance.length; slot++) {
    const [a, b] = [pairs[2 * found.pair[slot]], pairs[2 * found.pair[slot] + 1]];
    const gap = found.distance[slot];
    const normal: Vector = [found.normal[2 * slot], found.normal[2 * slot + 1]];
    if (b >= people) {
      add(forces, a, normal, -RULES.WALL_REPULSION * Math.exp(-gap / RULES.WALL_RANGE));
      continue;
    }
    if (gap < 0) totals.touching++;
    const push = Math.min(RULES.PUSH * Math.max(RULES.GAP - gap, 0), RULES.MAX_PUSH);
    add(pushes, a, normal, -push);
    add(pushes, b, normal, push);
    const away = RULES.REPULSION * Math.exp(-Math.max(gap, 0) / RULES.REPULSION_RANGE);
    add(forces, a, normal, -away);
    add(forces, b, normal, away);
    const [va, vb] = [velocityOf(state, a), velocityOf(state, b)];
    add(forces, a, avoidance(va, [va[0] - vb[0], va[1] - vb[1]], normal, gap), 1);
    add(forces, b, avoidance(vb, [vb[0] - va[0], vb[1] - va[1]], [-normal[0], -normal[1]], gap), 1);
  }
}

function add(sums: Float64Array, i: number, direction: Vector, size: number): void {
  sums[2 * i] += size * direction[0];
  sums[2 * i + 1] += size * direction[1];
}
