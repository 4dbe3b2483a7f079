/** Families in steps: in each frame every body moves and turns a little, depending on its number. */

import type { Family } from './family.ts';
import { createRandom, unitVector } from './random.ts';

/** Moves every body by `step` along its own direction, and rotates it by half that in radians about its own axis. */
export function createMotion({ bodies }: Family, seed: number): (step: number) => void {
  const random = createRandom(seed);
  const directions = Array.from(bodies.shapes, () => unitVector(random, [0, 0, 0]));
  const axes = Array.from(bodies.shapes, () => unitVector(random, [0, 0, 0]));
  return (step) => {
    directions.forEach((direction, body) => {
      for (let k = 0; k < 3; k++) bodies.positions[3 * body + k] += step * direction[k];
      const q = bodies.quaternions.subarray(4 * body, 4 * body + 4);
      const [x, y, z, w] = q;
      const [a, b, c] = axes[body].map((part) => 0.25 * step * part);
      // (a, b, c, 1) · q is to first order a rotation by 0.5 · step.
      const turned = [
        x + a * w + b * z - c * y,
        y + b * w + c * x - a * z,
        z + c * w + a * y - b * x,
        w - a * x - b * y - c * z,
      ];
      const length = Math.hypot(...turned);
      for (let k = 0; k < 4; k++) q[k] = turned[k] / length;
    });
  };
}
