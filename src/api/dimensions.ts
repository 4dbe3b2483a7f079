/** What a tester takes and gives in 3-D and in 2-D. */
import type { Bodies } from './bodies.ts';
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from './geometry.ts';
import type { MovingBodies, Rays } from './motion.ts';
import type { WarmStart } from './options.ts';
import type { PlanarShapeDescription } from './planar-shapes.ts';
import type { PlanarBodies, PlanarMovingBodies, PlanarRays } from './planar.ts';
import type { ShapeDescription } from './shapes.ts';
import type { PlanarVector, SpaceVector } from './vectors.ts';

/** What a tester takes and gives, by its dimension. */
export interface TesterTypes {
  dimension: 2 | 3;
  shape: ShapeDescription | PlanarShapeDescription;
  bodies: Bodies | PlanarBodies;
  movingBodies: MovingBodies | PlanarMovingBodies;
  rays: Rays | PlanarRays;
  vector: SpaceVector | PlanarVector;
  warmStart: WarmStart | undefined;
  massProperties: MassProperties | PlanarMassProperties;
  shapeGeometry: ShapeGeometry | PlanarShapeGeometry;
}

/** In space. */
export interface SpaceTypes {
  dimension: 3;
  shape: ShapeDescription;
  bodies: Bodies;
  movingBodies: MovingBodies;
  rays: Rays;
  vector: SpaceVector;
  warmStart: WarmStart;
  massProperties: MassProperties;
  shapeGeometry: ShapeGeometry;
}

/** In the plane. */
export interface PlanarTypes {
  dimension: 2;
  shape: PlanarShapeDescription;
  bodies: PlanarBodies;
  movingBodies: PlanarMovingBodies;
  rays: PlanarRays;
  vector: PlanarVector;
  warmStart: undefined;
  massProperties: PlanarMassProperties;
  shapeGeometry: PlanarShapeGeometry;
}
