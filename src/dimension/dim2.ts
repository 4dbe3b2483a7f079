/** The plane: two dimensions. */
import { allocate } from '../util/arrays.ts';
import { boundPlanarBodies } from '../broad-phase/planar-bounds.ts';
import { searchPairs } from '../broad-phase/sweep-and-prune.ts';
import { layouts } from '../generated/layouts.ts';
import { packPlanarPoses } from '../records/bodies.ts';
import { packPlanarShapes } from '../records/planar-shapes.ts';
import { planarRecords } from '../records/layout.ts';
import { validatePlanarBodies } from '../request/validate.ts';
import { planarMassProperties } from '../shapes/planar-mass-properties.ts';
import { makePlanarShapeData, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { planarShapeGeometry } from '../shapes/shape-geometry.ts';
import type { PlanarBodies } from '../api/types.ts';
import type { Dimension } from '../request/dimension.ts';

export const planar: Dimension = {
  dimension: 2,
  records: planarRecords,
  poseWords: layouts.PlanarPose.size / 4,
  velocityWords: layouts.PlanarVelocity.size / 4,
  shapeWords: layouts.PlanarShape.size / 4,
  recordsPerShape: 1,
  kindWord: layouts.PlanarShape.fields.kindAndCount.offset / 4,
  spinAxes: 1,
  spinWord: layouts.PlanarVelocity.fields.angular.offset / 4,
  ball: makePlanarShapeData({ type: 'circle', radius: 1 }),
  satShapes: 'segments, rectangles and polygons',
  takesWarmStart: false,
  makeShape: (description, field) => makePlanarShapeData(description, field),
  massProperties: (shape) => planarMassProperties(shape as PlanarShapeData),
  shapeGeometry: (shape) => planarShapeGeometry(shape as PlanarShapeData),
  validateBodies: (bodies, table) => validatePlanarBodies(bodies as PlanarBodies, table),
  // There are no half-spaces, and any two shapes have a distance.
  planeOf: () => undefined,
  standOnPlanes: (bodies) => bodies,
  expectPairs() {},
  *findPairs(bodies, shapes, margin, maxPairs) {
    const boxes = yield* boundPlanarBodies(
      bodies as PlanarBodies,
      shapes as readonly (PlanarShapeData | undefined)[],
      margin,
    );
    return yield* searchPairs(boxes, [], maxPairs);
  },
  packShapes: (shapes) => packPlanarShapes(shapes as readonly (PlanarShapeData | undefined)[]),
  packPoses: (bodies, poses) => packPlanarPoses(bodies as PlanarBodies, poses),
  withUpright(bodies, shapes, positions, scales) {
    const angles = allocate('angles with rays', Float32Array, shapes.length);
    angles.set((bodies as PlanarBodies).angles);
    return { shapes, positions, angles, scales };
  },
};
