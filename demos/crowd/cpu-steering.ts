/** The velocity that a person wants and can reach, as in wgsl/steering.wgsl. */

import type { CpuState } from './cpu-state.ts';
import { velocityOf } from './cpu-state.ts';
import { NOWHERE, RULES } from './rules.ts';
import { shortened, wayTo } from './steering.ts';

const { STEP } = RULES;

/** People get a displacement from the flow field, the accelerations and the pushes. */
export function steer(state: CpuState): void {
  const { world, velocities, forces, pushes, destinations, field } = state;
  const { people, shapeOf, grid } = world;
  const { positions, angles, linearVelocities, angularVelocities } = state.walls;

  linearVelocities.fill(0);
  angularVelocities.fill(0);
  for (let i = 0; i < people; i++) {
    if (destinations[i] === NOWHERE) continue;
    const way = wayTo(grid, field, destinations[i], positions[2 * i], positions[2 * i + 1]);
    const speed = world.speeds[i];
    const force = shortened([forces[2 * i], forces[2 * i + 1]], RULES.MAX_ACCELERATION);
    const [vx, vy] = velocityOf(state, i);
    const faster = (v: number, axis: 0 | 1): number =>
      v + STEP * ((speed * way.direction[axis] - v) / RULES.REACTION + force[axis]);
    const velocity = shortened([faster(vx, 0), faster(vy, 1)], 1.4 * speed);
    velocities.set(velocity, 2 * i);
    const push = shortened([pushes[2 * i], pushes[2 * i + 1]], RULES.MAX_PUSH);
    linearVelocities.set([STEP * velocity[0] + push[0], STEP * velocity[1] + push[1]], 2 * i);
    if (shapeOf[i] && Math.hypot(...velocity) > 0.15) {
      const turn = Math.atan2(velocity[1], velocity[0]) - Math.PI / 2 - angles[i];
      const least = turn - Math.PI * Math.round(turn / Math.PI);
      const most = RULES.TURN_RATE * STEP;
      angularVelocities[i] = Math.min(Math.max(least, -most), most);
    }
  }
}
