/**
 * PhysX: `PxGeometryQuery` on geometries and `PxGjkQuery` on support functions. `PxGeometryQuery.computePenetration`
 * is not in the binding; a sweep over no way with `eMTD` does what it does. Geometries, supports and transforms are
 * made beforehand, for all bodies or for two that are placed from the caller's arrays; a call writes into one
 * result object, of which the distance is read.
 */

import type { default as Module } from 'physx-js-webidl';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { peerRunner, type Runner } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';
import { arraysLoop, type PlacingLoop } from './arrays.ts';
import { PhysX, versionText } from './physx-module.ts';

export const version = versionText;

/** Farther than any pair of the workloads is apart. */
const FAR = 10;

/** Both ways in which PhysX takes a shape. */
interface KnownShape {
  geometry: Module.PxGeometry;
  support: Module.Support;
}

const LOOPS: Record<string, (workload: Workload) => PlacingLoop> = {
  overlap,
  'sweep-mtd': sweep,
  proximityInfo: (workload) => proximityInfo(workload, 0),
  'proximityInfo-far': (workload) => proximityInfo(workload, FAR),
};

export function createRunner(call: string, workload: Workload): Runner {
  const [, isArrays, name] = /^physx:(arrays-)?(.*)$/.exec(call)!;
  const makeLoop = LOOPS[name];
  return peerRunner(workload, isArrays ? arraysLoop(workload, makeLoop) : makeLoop(workload));
}

function overlap(workload: Workload): PlacingLoop {
  const { pairs } = workload;
  const { geometries, poses, addBody, setBody } = bodiesOf(workload);
  const query = PhysX.PxGeometryQuery.prototype as unknown as typeof Module.PxGeometryQuery;
  return {
    tellsDistance: false,
    addBody,
    setBody,
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        hit[i] = query.overlap(geometries[a], poses[a], geometries[b], poses[b]) ? 1 : 0;
      }
    },
  };
}

function sweep(workload: Workload): PlacingLoop {
  const { pairs } = workload;
  const { geometries, poses, addBody, setBody } = bodiesOf(workload);
  const query = PhysX.PxGeometryQuery.prototype as unknown as typeof Module.PxGeometryQuery;
  const flags = new PhysX.PxHitFlags(PhysX.PxHitFlagEnum.eMTD as unknown as number);
  const direction = new PhysX.PxVec3(1, 0, 0);
  const found = new PhysX.PxSweepHit();
  return {
    tellsDistance: true,
    addBody,
    setBody,
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

function proximityInfo(workload: Workload, contactDistance: number): PlacingLoop {
  const { pairs } = workload;
  const { supports, poses, addBody, setBody } = bodiesOf(workload);
  const query = PhysX.PxGjkQuery.prototype as unknown as typeof Module.PxGjkQuery;
  const found = new PhysX.PxGjkQueryProximityInfoResult();
  // A typical size of the objects: tolerances inside are shares of it.
  const toleranceLength = 1;
  return {
    tellsDistance: true,
    addBody,
    setBody,
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
  const setBody = (slot: number, body: number): void => {
    const shape = bodies.shapes[body];
    const { positions, quaternions } = bodies;
    position.x = positions[3 * body];
    position.y = positions[3 * body + 1];
    position.z = positions[3 * body + 2];
    setRotation(rotation, quaternions, 4 * body, shapes[shape].type);
    geometries[slot] = known[shape].geometry;
    supports[slot] = known[shape].support;
    poses[slot].p = position;
    poses[slot].q = rotation;
  };
  const addBody = (body: number): void => {
    poses.push(new PhysX.PxTransform(position, rotation));
    setBody(poses.length - 1, body);
  };
  return { geometries, supports, poses, addBody, setBody };
}

/** Capsules of PhysX lie along x, ours stand along y: turned by a quarter about z first. */
function setRotation(
  rotation: Module.PxQuat,
  quaternions: Float32Array,
  at: number,
  type: ShapeDescription['type'],
): void {
  const x = quaternions[at];
  const y = quaternions[at + 1];
  const z = quaternions[at + 2];
  const w = quaternions[at + 3];
  const isTurned = type === 'capsule';
  const h = Math.SQRT1_2;
  rotation.x = isTurned ? h * (x + y) : x;
  rotation.y = isTurned ? h * (y - x) : y;
  rotation.z = isTurned ? h * (z + w) : z;
  rotation.w = isTurned ? h * (w - z) : w;
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
