/** Rapier in the plane; how it is called stands in rapier-loops.ts. */

import {
  ColliderDesc,
  ConvexPolygon,
  Cuboid,
  init,
  RotationOps,
  ShapeContact,
  Vector2,
  VectorOps,
  version as rapierVersion,
  World,
  type Shape,
} from '@dimforge/rapier2d-compat';
import { peerRunner, type PeerLoop, type Runner } from '../runner.ts';
import type { PlanarOutline, PlanarWorkload } from '../../../verification/workloads/workload.ts';
import { colliderLoop, contactLoop, FAR, intersectsLoop } from './rapier-loops.ts';

await init();

export const version = `@dimforge/rapier2d-compat ${rapierVersion()}`;

export function createRunner(call: string, workload: PlanarWorkload): Runner {
  return peerRunner(workload, loopOf(call, workload));
}

function loopOf(call: string, workload: PlanarWorkload): PeerLoop {
  switch (call) {
    case 'rapier2d:intersectsShape':
      return intersectsLoop(workload, placer(workload));
    case 'rapier2d:contactShape':
      return contactLoop(workload, placer(workload), 0, emptyContact());
    case 'rapier2d:contactShape-far':
      return contactLoop(workload, placer(workload), FAR, emptyContact());
    case 'rapier2d:raw-intersects':
      return intersectsLoop(workload, rawPlacer(workload));
    case 'rapier2d:contactCollider':
      return colliderLoop(workload, colliderMaker(workload), 0, emptyContact());
    case 'rapier2d:contactCollider-far':
      return colliderLoop(workload, colliderMaker(workload), FAR, emptyContact());
    default:
      throw new Error(`Rapier in the plane has no call ${call}`);
  }
}

function shapeOf(shape: PlanarOutline): Shape {
  if (shape.type === 'rectangle') return new Cuboid(shape.halfExtents[0], shape.halfExtents[1]);
  // The points are the hull's corners in their order: a call that makes the polygon anew need not find them again.
  return new ConvexPolygon(Float32Array.from(shape.points), true);
}

function placer({ bodies, shapes }: PlanarWorkload) {
  const known = shapes.map(shapeOf);
  return (body: number) => ({
    shape: known[bodies.shapes[body]],
    position: vectorAt(bodies.positions, body),
    rotation: bodies.angles[body],
  });
}

function rawPlacer({ bodies, shapes }: PlanarWorkload) {
  const known = shapes.map((shape) => shapeOf(shape).intoRaw());
  return (body: number) => ({
    shape: known[bodies.shapes[body]],
    position: VectorOps.intoRaw(vectorAt(bodies.positions, body)),
    rotation: RotationOps.intoRaw(bodies.angles[body]),
  });
}

function colliderMaker({ bodies, shapes }: PlanarWorkload) {
  const known = shapes.map(shapeOf);
  const world = new World({ x: 0, y: 0 });
  return (body: number) => {
    const { x, y } = vectorAt(bodies.positions, body);
    return world.createCollider(
      new ColliderDesc(known[bodies.shapes[body]]).setTranslation(x, y).setRotation(bodies.angles[body]),
    );
  };
}

function vectorAt(positions: Float32Array, body: number): Vector2 {
  return new Vector2(positions[2 * body], positions[2 * body + 1]);
}

function emptyContact(): ShapeContact {
  const [point1, point2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector2(0, 0));
  return new ShapeContact(0, point1, point2, normal1, normal2);
}
