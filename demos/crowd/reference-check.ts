/** Whether anybody is in a wall, by the package's reference in double precision: no kernel, no broad phase of the tester. */

import { planar } from 'narrowphase/cpu';
import type { Snapshot } from './crowd.ts';
import { NOWHERE } from './rules.ts';
import type { World } from './world.ts';

export interface ReferenceCheck {
  checks: number;
  inWalls: number;
}

/** Checks every `stride`-th person, from `start` on, against every wall and leaf whose bounding circle is near. */
export function createReferenceCheck(
  world: World,
): (snapshot: Snapshot, start: number, stride: number) => ReferenceCheck {
  const shapes = world.shapes.map((shape) => planar.createShape(shape));
  const { people, bodies, shapeOf } = world;
  return ({ poses, destinations }, start, stride) => {
    const poseOf = (i: number): { position: [number, number]; angle: number } => ({
      position: [poses[4 * i], poses[4 * i + 1]],
      angle: poses[4 * i + 2],
    });
    const found = { checks: 0, inWalls: 0 };
    for (let i = start; i < people; i += stride) {
      if (destinations[i] === NOWHERE) continue;
      found.checks++;
      const person = shapes[shapeOf[i]];
      for (let j = people; j < bodies; j++) {
        const wall = shapes[shapeOf[j]];
        const reach = person.boundingRadius + wall.boundingRadius;
        if (Math.hypot(poses[4 * i] - poses[4 * j], poses[4 * i + 1] - poses[4 * j + 1]) > reach) continue;
        if (planar.intersects(person, poseOf(i), wall, poseOf(j)).hit) found.inWalls++;
      }
    }
    return found;
  };
}
