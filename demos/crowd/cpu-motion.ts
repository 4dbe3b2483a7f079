/** How bodies move, as in wgsl/motion.wgsl. */

import { NO_SLOT } from 'narrowphase';
import type { CpuState } from './cpu-state.ts';
import { RULES } from './rules.ts';
import { shortened, wrapped } from './steering.ts';
import type { Vector } from './steering.ts';

/** Leaves of doors get a displacement, people none. */
export function begin(state: CpuState): void {
  const { world, forces, pushes, origins, totals, leafTargets } = state;
  const { people, leaves } = world;
  const { positions, linearVelocities, angularVelocities } = state.walls;

  linearVelocities.fill(0);
  angularVelocities.fill(0);
  forces.fill(0);
  pushes.fill(0);
  origins.set(positions.subarray(0, 2 * people));
  Object.assign(totals, { present: 0, touching: 0, moving: 0 });
  for (let k = 0; k < leaves; k++) {
    const at = 2 * (people + k);
    const way: Vector = [leafTargets[2 * k] - positions[at], leafTargets[2 * k + 1] - positions[at + 1]];
    linearVelocities.set(shortened(way, RULES.DOOR_SPEED * RULES.STEP), at);
  }
}

/**
 * Moves each body by its displacement up to its first impact. The rest of the displacement, projected onto the obstacle and
 * turned a little away from it, is the displacement of the next round.
 */
export async function advance({ tester, world, walls }: CpuState): Promise<void> {
  const { people, leaves } = world;
  const { positions, angles, linearVelocities, angularVelocities } = walls;

  const pairs = await tester.findPairs(walls, { duration: 1, margin: RULES.SKIN });
  const { first, time, pair, normal } = await tester.impacts(walls, pairs, {
    duration: 1,
    margin: RULES.SKIN,
    stopAtPenetration: false,
    results: 'earliest',
  });
  for (let i = 0; i < people + leaves; i++) {
    const slot = first![i];
    const [dx, dy] = [linearVelocities[2 * i], linearVelocities[2 * i + 1]];
    const share = slot === NO_SLOT ? 1 : Math.min(time[slot], 1);
    let rest: Vector = [0, 0];
    if (slot !== NO_SLOT && i < people) {
      const sign = pairs[2 * pair[slot]] === i ? 1 : -1;
      const [nx, ny] = [sign * normal[2 * slot], sign * normal[2 * slot + 1]];
      rest = [(1 - share) * dx, (1 - share) * dy];
      const into = Math.max(rest[0] * nx + rest[1] * ny, 0);
      rest = [rest[0] - into * nx, rest[1] - into * ny];
      const lift = RULES.LIFT * Math.hypot(...rest);
      rest = [rest[0] - lift * nx, rest[1] - lift * ny];
    }
    positions[2 * i] += share * dx;
    positions[2 * i + 1] += share * dy;
    angles[i] = wrapped(angles[i] + share * angularVelocities[i]);
    linearVelocities.set(rest, 2 * i);
    angularVelocities[i] = 0;
  }
}
