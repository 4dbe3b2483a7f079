/**
 * PhysX: `PxGeometryQuery` on geometries and `PxGjkQuery` on support functions. `PxGeometryQuery.computePenetration` is
 * not in the binding; a sweep over no way with `eMTD` does what it does. Geometries, supports and transforms are made
 * beforehand; a call writes into one result object, of which the distance is read.
 */

import type { default as Module } from 'physx-js-webidl';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { peerRunner, type PeerLoop, type Runner } from '../runner.ts';
import type { Workload } from '../workloads/workload.ts';
import { PhysX, versionText } from './physx-module.ts';

export const version = versionText;

/** Farther than any pair of the workloads is apart. */
const FAR = 10;

/** Both ways in which PhysX takes a shape. */
interface KnownShape {
  geometry: Module.PxGeometry;
  support: Module.Support;
}

export function createRunner(call: string, workload: Workload): Runner {
  switch (call) {
    case 'physx:overlap':
      return peerRunner(workload, overlap(workload));
    case 'physx:sweep-mtd':
      return peerRunner(workload, sweep(workload));
    case 'physx:proximityInfo':
      return peerRunner(workload, proximityInfo(workload, 0));
    case 'physx:proximityInfo-far':
      return peerRunner(workload, proximityInfo(workload, FAR));
    default:
      throw new Error(`PhysX has no call ${call}`);
  }
}

function overlap(workload: Workload): PeerLoop {
  const { pairs } = workload;
  const { geometries, poses, addBody } = bodiesOf(workload);
  const query = PhysX.PxGeometryQuery.prototype as unknown as typeof Module.PxGeometryQuery;
  return {
    tellsDistance: false,
    addBody,
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        hit[i] = query.overlap(geometries[a], poses[a], geometries[b], poses[b]) ? 1 : 0;
      }
    },
  };
}

function sweep(workload: Workload): PeerLoop {
  const { pairs } = workload;
  const { geometries, poses, addBody } = bodiesOf(workload);
  const query = PhysX.PxGeometryQuery.prototype as unknown as typeof Module.PxGeometryQuery;
  const flags = new PhysX.PxHitFlags(PhysX.PxHitFlagEnum.eMTD as unknown as number);
  const direction = new PhysX.PxVec3(1, 0, 0);
  const found = new PhysX.PxSweepHit();
  return {
    tellsDistance: true,
    addBody,
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const isHit = query.sweep(direction, 0, geometries[a], poses[a], geometries[b], poses[b], found, flags);
        hit[i] = isHit ? 1 : 0;
        distance[i] = isHit ? found.distance : NaN;
      }
    },
  };
}

function proximityInfo(workload: Workload, contactDistance: number): PeerLoop {
  const { pairs } = workload;
  const { supports, poses, addBody } = bodiesOf(workload);
  const query = PhysX.PxGjkQuery.prototype as unknown as typeof Module.PxGjkQuery;
  const found = new PhysX.PxGjkQueryProximityInfoResult();
  // A typical size of the objects: tolerances inside are shares of it.
  const toleranceLength = 1;
  return {
    tellsDistance: true,
    addBody,
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const isNear = query.proximityInfo(
          supports[a],
          supports[b],
          poses[a],
          poses[b],
          contactDistance,
          toleranceLength,
          found,
        );
        const separation = isNear ? found.separation : NaN;
        hit[i] = separation <= 0 ? 1 : 0;
        distance[i] = separation;
      }
    },
  };
}

function bodiesOf({ bodies, shapes }: Workload) {
  const known = shapes.map(physxShape);
  const geometries: Module.PxGeometry[] = [];
  const supports: Module.Support[] = [];
  const poses: Module.PxTransform[] = [];
  const position = new PhysX.PxVec3(0, 0, 0);
  const rotation = new PhysX.PxQuat(0, 0, 0, 1);
  return {
    geometries,
    supports,
    poses,
    addBody(body: number): void {
      const shape = bodies.shapes[body];
      const { positions, quaternions } = bodies;
      [position.x, position.y, position.z] = positions.subarray(3 * body, 3 * body + 3);
      [rotation.x, rotation.y, rotation.z, rotation.w] = rotated(
        quaternions.subarray(4 * body, 4 * body + 4),
        shapes[shape].type,
      );
      geometries.push(known[shape].geometry);
      supports.push(known[shape].support);
      poses.push(new PhysX.PxTransform(position, rotation));
    },
  };
}

/** Capsules of PhysX lie along x, ours stand along y: turned by a quarter about z first. */
function rotated([x, y, z, w]: Float32Array, type: ShapeDescription['type']): number[] {
  if (type !== 'capsule') return [x, y, z, w];
  const h = Math.SQRT1_2;
  return [h * (x + y), h * (y - x), h * (z + w), h * (w - z)];
}

function physxShape(shape: ShapeDescription): KnownShape {
  switch (shape.type) {
    case 'sphere':
      return { geometry: new PhysX.PxSphereGeometry(shape.radius), support: new PhysX.SphereSupport(shape.radius) };
    case 'capsule':
      return {
        geometry: new PhysX.PxCapsuleGeometry(shape.radius, shape.halfHeight),
        support: new PhysX.CapsuleSupport(shape.radius, shape.halfHeight),
      };
    case 'box': {
      const [x, y, z] = Array.from(shape.halfExtents);
      return { geometry: new PhysX.PxBoxGeometry(x, y, z), support: new PhysX.BoxSupport(new PhysX.PxVec3(x, y, z)) };
    }
    case 'hull': {
      const mesh = cook(shape.points);
      return { geometry: new PhysX.PxConvexMeshGeometry(mesh), support: new PhysX.ConvexMeshSupport(mesh) };
    }
    default:
      throw new Error(`no shape of PhysX for a ${shape.type}`);
  }
}

function cook(points: ArrayLike<number>): Module.PxConvexMesh {
  const count = points.length / 3;
  const list = new PhysX.PxArray_PxVec3(count);
  for (let i = 0; i < count; i++) list.set(i, new PhysX.PxVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
  const description = new PhysX.PxConvexMeshDesc();
  description.points.count = count;
  description.points.stride = 12;
  description.points.data = list.begin();
  description.flags = new PhysX.PxConvexFlags(PhysX.PxConvexFlagEnum.eCOMPUTE_CONVEX as unknown as number);
  const parameters = new PhysX.PxCookingParams(new PhysX.PxTolerancesScale());
  // The default leaves out vertices of small hulls.
  parameters.planeTolerance = 1e-6;
  const mesh = PhysX.CreateConvexMesh(parameters, description);
  if (mesh.getNbVertices() !== count)
    throw new Error(`PhysX kept ${mesh.getNbVertices()} of ${count} vertices of a hull`);
  return mesh;
}
