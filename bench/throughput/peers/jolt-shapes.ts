/**
 * Jolt's shapes for those of a workload, and poses. Convex radius 0, and no rounded shapes: a radius that Jolt is given
 * it takes off the shape, not more of it than 5 cm of a box, adds it again for its GJK, and leaves the corners as sharp
 * as they were for its EPA.
 */

import initialise from 'jolt-physics/wasm-compat';
import type { ShapeDescription } from '../../../src/api/shapes.ts';

export const Jolt = await initialise();
type Jolt = typeof Jolt;

export type JoltShape = InstanceType<Jolt['Shape']>;
type JoltQuat = InstanceType<Jolt['Quat']>;

/** The functions that `CollideShape` calls are null until an interface, which must live on, has registered them. */
export function registerTypes(): InstanceType<Jolt['JoltInterface']> {
  const settings = new Jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const layers = new Jolt.ObjectLayerPairFilterTable(1);
  const broadPhase = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  broadPhase.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = layers;
  settings.mBroadPhaseLayerInterface = broadPhase;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broadPhase, 1, layers, 1);
  return new Jolt.JoltInterface(settings);
}

/** With one reference, which `Release` gives up. Throws for what Jolt refuses. */
export function joltShape(shape: ShapeDescription): JoltShape {
  switch (shape.type) {
    case 'sphere':
      return kept(new Jolt.SphereShape(shape.radius));
    case 'capsule':
      return kept(new Jolt.CapsuleShape(shape.halfHeight, shape.radius));
    case 'box':
      if (!shape.radius) return boxShape(shape.halfExtents);
      break;
    case 'cylinder':
      return kept(new Jolt.CylinderShape(shape.halfHeight, shape.radius, 0));
    case 'cone':
      return created(new Jolt.TaperedCylinderShapeSettings(shape.halfHeight, 0, shape.radius, 0));
    case 'triangle':
      if (!shape.radius) return meshShape(shape.points);
      break;
    case 'hull':
      if (!shape.radius) return hullShape(shape.points);
      break;
    case 'halfspace':
      return planeShape(Array.from(shape.normal), shape.offset);
    default:
  }
  throw new Error(`no shape of Jolt for a ${'radius' in shape ? 'rounded ' : ''}${shape.type}`);
}

function boxShape(halfExtents: ArrayLike<number>): JoltShape {
  const corner = new Jolt.Vec3(halfExtents[0], halfExtents[1], halfExtents[2]);
  const shape = kept(new Jolt.BoxShape(corner, 0));
  Jolt.destroy(corner);
  return shape;
}

function hullShape(points: ArrayLike<number>): JoltShape {
  const settings = new Jolt.ConvexHullShapeSettings();
  settings.mMaxConvexRadius = 0;
  // The default tolerance, in metres, would leave out vertices of small hulls.
  settings.mHullTolerance = 1e-6;
  const point = new Jolt.Vec3();
  for (let i = 0; i < points.length; i += 3) {
    point.Set(points[i], points[i + 1], points[i + 2]);
    settings.mPoints.push_back(point);
  }
  Jolt.destroy(point);
  return created(settings);
}

/** The binding has no triangle shape, but meshes of one. */
function meshShape(points: ArrayLike<number>): JoltShape {
  const [a, b, c] = [0, 3, 6].map((i) => new Jolt.Vec3(points[i], points[i + 1], points[i + 2]));
  const triangle = new Jolt.Triangle(a, b, c);
  const list = new Jolt.TriangleList();
  list.push_back(triangle);
  const shape = created(new Jolt.MeshShapeSettings(list));
  for (const used of [a, b, c, triangle, list]) Jolt.destroy(used);
  return shape;
}

function planeShape(normal: number[], offset: number): JoltShape {
  const length = Math.hypot(...normal);
  const [x, y, z] = normal.map((component) => component / length);
  const unit = new Jolt.Vec3(x, y, z);
  const plane = new Jolt.Plane(unit, -offset);
  const shape = kept(new Jolt.PlaneShape(plane));
  for (const used of [unit, plane]) Jolt.destroy(used);
  return shape;
}

function created(settings: InstanceType<Jolt['ShapeSettings']>): JoltShape {
  const made = settings.Create();
  if (made.HasError()) throw new Error(`Jolt makes no shape: ${made.GetError().c_str()}`);
  const shape = kept(made.Get());
  // Result and settings each hold the shape, too.
  made.Clear();
  Jolt.destroy(settings);
  return shape;
}

function kept(shape: JoltShape): JoltShape {
  shape.AddRef();
  return shape;
}

export function setPose(
  { positions, quaternions }: { positions: ArrayLike<number>; quaternions: ArrayLike<number> },
  body: number,
  position: { Set(x: number, y: number, z: number): void },
  rotation: JoltQuat,
): void {
  position.Set(positions[3 * body], positions[3 * body + 1], positions[3 * body + 2]);
  rotation.Set(quaternions[4 * body], quaternions[4 * body + 1], quaternions[4 * body + 2], quaternions[4 * body + 3]);
}
