/** The types that a tester takes and returns, by dimension: parameters of `Batch` and `TesterOf`. */
import type { Bodies, BodyData } from './bodies.ts';
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from './geometry.ts';
import type { MovingBodies, Rays } from './motion.ts';
import type { WarmStart } from './options.ts';
import type { PlanarShapeDescription } from './planar-shapes.ts';
import type { PlanarBodies, PlanarBodyData, PlanarMovingBodies, PlanarRays } from './planar.ts';
import type { ShapeDescription } from './shapes.ts';
import type { Vec2, Vec3 } from './vectors.ts';

/** The types of either dimension. */
export interface TesterTypes {
  dimension: 2 | 3;
  shape: ShapeDescription | PlanarShapeDescription;
  bodies: Bodies | PlanarBodies;
  bodyData: BodyData | PlanarBodyData;
  movingBodies: MovingBodies | PlanarMovingBodies;
  rays: Rays | PlanarRays;
  vector: Vec3 | Vec2;
  warmStart: WarmStart | undefined;
  massProperties: MassProperties | PlanarMassProperties;
  shapeGeometry: ShapeGeometry | PlanarShapeGeometry;
}

/** The types of 3-D testers. */
export interface SpaceTypes {
  dimension: 3;
  shape: ShapeDescription;
  bodies: Bodies;
  bodyData: BodyData;
  movingBodies: MovingBodies;
  rays: Rays;
  vector: Vec3;
  warmStart: WarmStart;
  massProperties: MassProperties;
  shapeGeometry: ShapeGeometry;
}

/** The types of 2-D testers. */
export interface PlanarTypes {
  dimension: 2;
  shape: PlanarShapeDescription;
  bodies: PlanarBodies;
  bodyData: PlanarBodyData;
  movingBodies: PlanarMovingBodies;
  rays: PlanarRays;
  vector: Vec2;
  warmStart: undefined;
  massProperties: PlanarMassProperties;
  shapeGeometry: PlanarShapeGeometry;
}
