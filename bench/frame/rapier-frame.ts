/**
 * Rapier's collision detection on the bodies of a frame: dynamic bodies without gravity, whose poses and velocities are set
 * before each step, so that what the solver did is undone. The broad phase keeps a tree from step to step, and the narrow
 * phase keeps manifolds of pairs that hardly moved.
 */

import { ColliderDesc, RigidBodyDesc, World, init, type RigidBody } from '@dimforge/rapier3d-compat';
import { movedPosition } from './mover.ts';
import type { FrameScene } from './scenes.ts';

export interface RapierFrame {
  /** Moves the bodies to a frame and steps. Milliseconds, by Rapier's own timings. */
  run(frame: number): RapierTime;
  dispose(): void;
}

export interface RapierTime {
  collisionDetectionMs: number;
  broadPhaseMs: number;
}

const STILL = { x: 0, y: 0, z: 0 };

export async function createRapierFrame(scene: FrameScene): Promise<RapierFrame> {
  await init();
  const world = new World(STILL);
  world.numSolverIterations = 1;
  world.profilerEnabled = true;
  const bodies: RigidBody[] = [];
  for (let i = 0; i < scene.count; i++) {
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    const [hx, hy, hz] = scene.halfExtents.map((half) => half * scene.scales[i]);
    world.createCollider(ColliderDesc.cuboid(hx, hy, hz), body);
    bodies.push(body);
  }
  return {
    run(frame) {
      for (let i = 0; i < scene.count; i++) {
        const [x, y, z] = movedPosition(scene, i, frame);
        const [qx, qy, qz, qw] = scene.quaternions.subarray(4 * i, 4 * i + 4);
        bodies[i].setTranslation({ x, y, z }, true);
        bodies[i].setRotation({ x: qx, y: qy, z: qz, w: qw }, true);
        bodies[i].setLinvel(STILL, true);
        bodies[i].setAngvel(STILL, true);
      }
      world.step();
      return { collisionDetectionMs: world.timingCollisionDetection(), broadPhaseMs: world.timingBroadPhase() };
    },
    dispose() {
      world.free();
    },
  };
}
