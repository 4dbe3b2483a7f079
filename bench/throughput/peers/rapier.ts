/** Rapier in space; how it is called stands in rapier-loops.ts. */

import { ColliderDesc, RotationOps, ShapeContact, Vector3, VectorOps, World } from '@dimforge/rapier3d-compat';
import { peerRunner, type PeerLoop, type Runner } from '../runner.ts';
import type { MovingWorkload, Workload } from '../../../verification/workloads/workload.ts';
import { arraysLoop } from './arrays.ts';
import { castLoop, rawCastLoop } from './rapier-cast.ts';
import { colliderLoop, contactLoop, FAR, intersectsLoop } from './rapier-loops.ts';
import { quaternionAt, rapierShape, startRapier, vectorAt } from './rapier-shapes.ts';
import { stepLoop } from './rapier-step.ts';

export const version = await startRapier();

export function createRunner(call: string, workload: Workload): Runner {
  return peerRunner(workload, loopOf(call, workload));
}

function loopOf(call: string, workload: Workload): PeerLoop {
  switch (call) {
    case 'rapier:intersectsShape':
      return intersectsLoop(workload, placer(workload));
    case 'rapier:contactShape':
      return contactLoop(workload, placer(workload), 0, emptyContact());
    case 'rapier:contactShape-far':
      return contactLoop(workload, placer(workload), FAR, emptyContact());
    case 'rapier:arrays-intersectsShape':
      return arraysLoop(workload, (pair) => intersectsLoop(pair, placer(pair)));
    case 'rapier:arrays-contactShape':
      return arraysLoop(workload, (pair) => contactLoop(pair, placer(pair), 0, emptyContact()));
    case 'rapier:arrays-contactShape-far':
      return arraysLoop(workload, (pair) => contactLoop(pair, placer(pair), FAR, emptyContact()));
    case 'rapier:arrays-castShape':
      return arraysLoop(workload as MovingWorkload, castLoop);
    case 'rapier:raw-intersects':
      return intersectsLoop(workload, rawPlacer(workload));
    case 'rapier:contactCollider':
      return colliderLoop(workload, colliderMaker(workload), 0, emptyContact());
    case 'rapier:contactCollider-far':
      return colliderLoop(workload, colliderMaker(workload), FAR, emptyContact());
    case 'rapier:castShape':
      return castLoop(workload as MovingWorkload);
    case 'rapier:raw-cast':
      return rawCastLoop(workload as MovingWorkload);
    case 'rapier:step-moved':
      return stepLoop(workload, true);
    case 'rapier:step-still':
      return stepLoop(workload, false);
    default:
      throw new Error(`Rapier has no call ${call}`);
  }
}

function placer({ bodies, shapes }: Workload) {
  const known = shapes.map(rapierShape);
  return (body: number) => ({
    shape: known[bodies.shapes[body]],
    position: vectorAt(bodies.positions, body),
    rotation: quaternionAt(bodies.quaternions, body),
  });
}

function rawPlacer({ bodies, shapes }: Workload) {
  const known = shapes.map((shape) => rapierShape(shape).intoRaw());
  return (body: number) => ({
    shape: known[bodies.shapes[body]],
    position: VectorOps.intoRaw(vectorAt(bodies.positions, body)),
    rotation: RotationOps.intoRaw(quaternionAt(bodies.quaternions, body)),
  });
}

function colliderMaker({ bodies, shapes }: Workload) {
  const known = shapes.map(rapierShape);
  const world = new World({ x: 0, y: 0, z: 0 });
  return (body: number) => {
    const { x, y, z } = vectorAt(bodies.positions, body);
    const description = new ColliderDesc(known[bodies.shapes[body]]);
    return world.createCollider(
      description.setTranslation(x, y, z).setRotation(quaternionAt(bodies.quaternions, body)),
    );
  };
}

function emptyContact(): ShapeContact {
  const [point1, point2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector3(0, 0, 0));
  return new ShapeContact(0, point1, point2, normal1, normal2);
}
