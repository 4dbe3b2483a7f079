/**
 * Rapier's collision detection on the bodies of a frame: kinematic bodies, so that there is nothing to solve. Its broad
 * phase keeps a tree from step to step, and its narrow phase manifolds whose pairs hardly moved; in each frame all bodies
 * move, as they do for the GPU.
 */

import {
  ActiveCollisionTypes,
  ColliderDesc,
  RigidBodyDesc,
  World,
  init,
  type RigidBody,
} from '@dimforge/rapier3d-compat';
import { movedPosition } from './mover.ts';
import type { FrameScene } from './scenes.ts';

export interface RapierFrame {
  /** Moves the bodies to a frame and steps. Milliseconds, by Rapier's own timings where nothing else is said. */
  run(frame: number): RapierTime;
  dispose(): void;
}

export interface RapierTime {
  collisionDetectionMs: number;
  broadPhaseMs: number;
  /** Of the whole step, by all threads of this process. */
  processorMs: number;
}

export async function createRapierFrame(scene: FrameScene): Promise<RapierFrame> {
  await init();
  const world = new World({ x: 0, y: 0, z: 0 });
  world.profilerEnabled = true;
  const bodies: RigidBody[] = [];
  for (let i = 0; i < scene.count; i++) {
    const [x, y, z, w] = scene.quaternions.subarray(4 * i, 4 * i + 4);
    const body = world.createRigidBody(RigidBodyDesc.kinematicPositionBased().setRotation({ x, y, z, w }));
    const [hx, hy, hz] = scene.halfExtents.map((half) => half * scene.scales[i]);
    world.createCollider(ColliderDesc.cuboid(hx, hy, hz).setActiveCollisionTypes(ActiveCollisionTypes.ALL), body);
    bodies.push(body);
  }
  return {
    run(frame) {
      for (let i = 0; i < scene.count; i++) {
        const [x, y, z] = movedPosition(scene, i, frame);
        bodies[i].setTranslation({ x, y, z }, true);
      }
      const before = process.cpuUsage();
      world.step();
      const { user, system } = process.cpuUsage(before);
      return {
        collisionDetectionMs: world.timingCollisionDetection(),
        broadPhaseMs: world.timingBroadPhase(),
        processorMs: (user + system) / 1000,
      };
    },
    dispose() {
      world.free();
    },
  };
}
