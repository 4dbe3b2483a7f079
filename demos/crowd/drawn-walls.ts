/** Walls that are drawn: where there may be one, and the bodies that they become. */

import type { PlanarTester } from 'narrowphase';
import { planar } from 'narrowphase/cpu';
import type { Snapshot } from './crowd.ts';
import { hasWay } from './flow-field.ts';
import { leafObstacle } from './grid.ts';
import { NOWHERE } from './rules.ts';
import type { Obstacle } from './scenes.ts';
import { CAPSULE, MOST_DRAWN, absentWall } from './world.ts';
import type { World } from './world.ts';

/** Metres that people have to a new wall. */
const GAP = 0.05;

/** Gives the bodies of drawn walls their shapes, and returns these shapes' ids and the poses (x, y, angle, scale). */
export function replaceWalls(
  tester: PlanarTester,
  { scene, shapes, shapeOf, firstDrawn }: World,
  ids: number[],
  drawn: readonly Obstacle[],
): { shapes: Uint32Array<ArrayBuffer>; poses: Float32Array<ArrayBuffer> } {
  const own = Array.from({ length: MOST_DRAWN }, (_, k) => drawn[k] ?? absentWall(scene, firstDrawn + k));
  const given = own.map(({ shape }, k) => {
    const at = shapeOf[firstDrawn + k];
    tester.removeShape(ids[at]);
    shapes[at] = shape;
    return (ids[at] = tester.addShape(shape));
  });
  return {
    shapes: Uint32Array.from(given),
    poses: Float32Array.from(own.flatMap(({ x, y, angle }) => [x, y, angle, 1])),
  };
}

/** What is in the way of a wall, where people stand as in the snapshot; undefined if nothing is. */
export function obstruction(added: Obstacle, world: World, { poses, destinations }: Snapshot): string | undefined {
  const wall = planar.createShape(added.shape);
  const isNear = (other: Obstacle, margin: number): boolean =>
    planar.intersects(wall, poseOf(added), planar.createShape(other.shape), poseOf(other), { margin }).hit;
  for (let i = 0; i < world.people; i++) {
    if (destinations[i] === NOWHERE) continue;
    const shape = world.shapes[world.shapeOf[i]];
    const [x, y, angle] = poses.subarray(4 * i, 4 * i + 3);
    if (isNear({ shape, x, y, angle }, GAP)) return 'Somebody stands there';
  }
  const turning = { type: 'circle', radius: CAPSULE.halfHeight + CAPSULE.radius } as const;
  if (world.entries.some(({ x, y }) => isNear({ shape: turning, x, y, angle: 0 }, GAP))) return 'People enter there';
  const leaves = world.scene.doors.flatMap((door) => door.leaves);
  const isAtDoor = leaves.some((leaf) =>
    [leaf.open, leaf.closed].some(([x, y]) => isNear({ ...leafObstacle(leaf), x, y }, 0)),
  );
  return isAtDoor ? 'A door slides there' : undefined;
}

/** Whether somebody has a way to where they go in the flow field `before`, and none in the field `after`. */
export function wallsInSomebody(
  { grid, people }: World,
  { poses, destinations }: Snapshot,
  before: Float32Array,
  after: Float32Array,
): boolean {
  for (let i = 0; i < people; i++) {
    const zone = destinations[i];
    if (zone === NOWHERE) continue;
    const [x, y] = poses.subarray(4 * i, 4 * i + 2);
    if (hasWay(grid, before, zone, x, y) && !hasWay(grid, after, zone, x, y)) return true;
  }
  return false;
}

function poseOf({ x, y, angle }: Obstacle): { position: [number, number]; angle: number } {
  return { position: [x, y], angle };
}
