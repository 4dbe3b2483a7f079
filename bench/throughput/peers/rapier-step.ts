/**
 * Rapier's world step: broad phase, narrow phase with contact manifolds, and nothing to solve: A is a collider without
 * a body, B that of a kinematic one, since two fixed ones do not meet. Each pair stands in a room of its own, so that
 * only partners do.
 *
 * Rapier skips pairs neither of whose colliders was touched, and keeps a manifold whose relative pose has hardly
 * changed. So the poses before the timed step matter: `moves` gives B another rotation in the step before, and nothing
 * can be kept; without, every pose is set to what it was, and only what must be looked at again is.
 */

import {
  ActiveCollisionTypes,
  ColliderDesc,
  RigidBodyDesc,
  Vector3,
  World,
  type Collider,
  type Quaternion,
  type RigidBody,
} from '@dimforge/rapier3d-compat';
import type { PeerLoop } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';
import { quaternionAt, rapierShape } from './rapier-shapes.ts';

/** Wider than any pair of the workloads that overlaps. */
const ROOM = 16;
/** Rooms in a row and in a layer. */
const ROW = 32;

export function stepLoop({ bodies, pairs, shapes: descriptions }: Workload, moves: boolean): PeerLoop {
  const known = descriptions.map(rapierShape);
  const world = new World({ x: 0, y: 0, z: 0 });
  const colliders: Collider[] = [];
  /** What is posed: the collider of an A, the body of a B. */
  const posed: (Collider | RigidBody)[] = [];
  const positions: Vector3[] = [];
  const rotations: Quaternion[] = [];
  let enabledPairs = 0;
  return {
    tellsDistance: true,
    addBody(body) {
      const description = new ColliderDesc(known[bodies.shapes[body]]).setActiveCollisionTypes(
        ActiveCollisionTypes.ALL,
      );
      positions.push(inRoom(body));
      rotations.push(quaternionAt(bodies.quaternions, body));
      const parent = body % 2 === 1 ? world.createRigidBody(RigidBodyDesc.kinematicPositionBased()) : undefined;
      const collider = world.createCollider(description, parent);
      colliders.push(collider);
      posed.push(parent ?? collider);
    },
    before(count) {
      // A step is over all colliders that are enabled.
      if (count !== enabledPairs) colliders.forEach((collider, body) => collider.setEnabled(body < 2 * count));
      enabledPairs = count;
      pose(count, moves);
      world.step();
      pose(count, false);
    },
    loop() {
      world.step();
    },
    after(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        let least = Infinity;
        world.contactPair(colliders[pairs[2 * i]], colliders[pairs[2 * i + 1]], (manifold) => {
          for (let k = 0; k < manifold.numContacts(); k++) least = Math.min(least, manifold.contactDist(k));
        });
        hit[i] = least <= 0 ? 1 : 0;
        distance[i] = least === Infinity ? NaN : least;
      }
    },
  };

  /** Bodies 2i and 2i + 1 where they stand to each other, in room i. */
  function inRoom(body: number): Vector3 {
    const room = body >> 1;
    const first = 3 * (body & ~1);
    const middle = [room % ROW, Math.floor(room / ROW) % ROW, Math.floor(room / ROW ** 2)].map(
      (at) => ROOM * (at - ROW / 2),
    );
    const [x, y, z] = middle.map((at, k) => at + bodies.positions[3 * body + k] - bodies.positions[first + k]);
    return new Vector3(x, y, z);
  }

  function pose(count: number, turned: boolean): void {
    for (let body = 0; body < 2 * count; body++) {
      const { x, y, z, w } = rotations[body];
      posed[body].setTranslation(positions[body], false);
      posed[body].setRotation(turned && body % 2 === 1 ? { x: y, y: z, z: x, w } : rotations[body], false);
    }
  }
}
