/** Seeded poses of one mesh relative to another. */
import type { Placement } from '../../../src/bvh/placement.ts';
import { finish } from '../../../src/util/turns.ts';
import { createWalk } from '../../../src/bvh/walk.ts';
import { rotationMatrix } from '../../../src/cpu/math.ts';
import { meshesIntersect, type TreeMesh } from '../../../src/cpu/parts/mesh-pairs.ts';
import { createRandom, unitVector } from '../../../verification/families/random.ts';

export interface Pose extends Placement {
  /** x, y, z, w of the same rotation. */
  readonly quaternion: readonly number[];
}

/** Rotations anywhere, positions on a sphere. The same seed gives the same rotations and directions. */
export function makePoses(count: number, distance: number, seed: number): Pose[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const quaternion = unitVector(random, [0, 0, 0, 0]);
    const rotation = rotationMatrix(quaternion, new Float64Array(9));
    const translation = unitVector(random, new Float64Array(3)).map((x) => x * distance);
    return { quaternion, rotation, translation, scaleA: 1, scaleB: 1 };
  });
}

/** The distance at which a share of the poses intersects, by halving. */
export function distanceForRate(mesh: TreeMesh, share: number, count: number, seed: number): number {
  const walk = createWalk();
  let [near, far] = [0, 2];
  for (let step = 0; step < 12; step++) {
    const distance = (near + far) / 2;
    const poses = makePoses(count, distance, seed);
    const hits = poses.filter((pose) => finish(meshesIntersect(mesh, mesh, pose, walk))).length;
    if (hits > share * count) near = distance;
    else far = distance;
  }
  return (near + far) / 2;
}
