/**
 * Rapier: queries between two shapes. The documented `Shape.intersectsShape` and `Shape.contactShape` copy both shapes and both
 * poses into WebAssembly at every call and free them after it. Its own parts avoid that: `RawShape` on shapes and poses that
 * `intoRaw` made once, and `contactCollider` on colliders, which keep theirs in a world. Both are measured, as both are what
 * "Rapier" may mean.
 *
 * `ShapeContact.fromBuffer` fills one object again and again; the raw contact below it is made and freed at each call.
 */

import { ColliderDesc, RotationOps, ShapeContact, Vector3, VectorOps, World, type Collider, type Quaternion, type Shape } from '@dimforge/rapier3d-compat';
import { peerRunner, type PeerLoop, type Runner } from '../subjects/runner.ts';
import type { MovingWorkload, Workload } from '../workloads/workload.ts';
import { castLoop, rawCastLoop } from './rapier-cast.ts';
import { quaternionAt, rapierShape, startRapier, vectorAt } from './rapier-shapes.ts';
import { stepLoop } from './rapier-step.ts';

export const version = await startRapier();

/** Farther than any pair of the workloads is apart. */
const FAR = 10;

export function createRunner(call: string, workload: Workload): Runner {
  return peerRunner(workload, loopOf(call, workload));
}

function loopOf(call: string, workload: Workload): PeerLoop {
  switch (call) {
    case 'rapier:intersectsShape':
      return documented(workload);
    case 'rapier:contactShape':
      return documented(workload, 0);
    case 'rapier:contactShape-far':
      return documented(workload, FAR);
    case 'rapier:raw-intersects':
      return rawIntersects(workload);
    case 'rapier:contactCollider':
      return betweenColliders(workload, 0);
    case 'rapier:contactCollider-far':
      return betweenColliders(workload, FAR);
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

/** `intersectsShape`, or with a prediction `contactShape`. */
function documented({ bodies, pairs, shapes: descriptions }: Workload, prediction?: number): PeerLoop {
  const known = descriptions.map(rapierShape);
  const shapes: Shape[] = [];
  const positions: Vector3[] = [];
  const rotations: Quaternion[] = [];
  const contact = emptyContact();
  return {
    tellsDistance: prediction !== undefined,
    addBody(body) {
      shapes.push(known[bodies.shapes[body]]);
      positions.push(vectorAt(bodies.positions, body));
      rotations.push(quaternionAt(bodies.quaternions, body));
    },
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        if (prediction === undefined) {
          hit[i] = shapes[a].intersectsShape(positions[a], rotations[a], shapes[b], positions[b], rotations[b]) ? 1 : 0;
          continue;
        }
        const found = shapes[a].contactShape(positions[a], rotations[a], shapes[b], positions[b], rotations[b], prediction, contact);
        hit[i] = found !== null && found.distance <= 0 ? 1 : 0;
        distance[i] = found === null ? NaN : found.distance;
      }
    },
  };
}

function rawIntersects({ bodies, pairs, shapes: descriptions }: Workload): PeerLoop {
  const known = descriptions.map((shape) => rapierShape(shape).intoRaw());
  const shapes: (typeof known)[number][] = [];
  const positions: ReturnType<typeof VectorOps.intoRaw>[] = [];
  const rotations: ReturnType<typeof RotationOps.intoRaw>[] = [];
  return {
    tellsDistance: false,
    addBody(body) {
      shapes.push(known[bodies.shapes[body]]);
      positions.push(VectorOps.intoRaw(vectorAt(bodies.positions, body)));
      rotations.push(RotationOps.intoRaw(quaternionAt(bodies.quaternions, body)));
    },
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        hit[i] = shapes[a].intersectsShape(positions[a], rotations[a], shapes[b], positions[b], rotations[b]) ? 1 : 0;
      }
    },
  };
}

function betweenColliders({ bodies, pairs, shapes: descriptions }: Workload, prediction: number): PeerLoop {
  const known = descriptions.map(rapierShape);
  const world = new World({ x: 0, y: 0, z: 0 });
  const colliders: Collider[] = [];
  const contact = emptyContact();
  return {
    tellsDistance: true,
    addBody(body) {
      const { x, y, z } = vectorAt(bodies.positions, body);
      const description = new ColliderDesc(known[bodies.shapes[body]]);
      colliders.push(world.createCollider(description.setTranslation(x, y, z).setRotation(quaternionAt(bodies.quaternions, body))));
    },
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const found = colliders[pairs[2 * i]].contactCollider(colliders[pairs[2 * i + 1]], prediction, contact);
        hit[i] = found !== null && found.distance <= 0 ? 1 : 0;
        distance[i] = found === null ? NaN : found.distance;
      }
    },
  };
}

function emptyContact(): ShapeContact {
  const [point1, point2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector3(0, 0, 0));
  return new ShapeContact(0, point1, point2, normal1, normal2);
}
