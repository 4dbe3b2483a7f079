/** Space: three dimensions. */
import { allocate } from '../util/arrays.ts';
import { boundBodies, boundHalfspaces } from '../broad-phase/bounds.ts';
import { searchPairs } from '../broad-phase/sweep-and-prune.ts';
import { layouts } from '../generated/layouts.ts';
import { packPoses } from '../records/bodies.ts';
import { planeOf, standOnPlanes } from '../records/planes.ts';
import { spaceRecords } from '../records/layout.ts';
import { packShapes } from '../records/shapes.ts';
import { expectBounded, validateSpaceBodies } from '../request/validate.ts';
import { massProperties } from '../shapes/mass-properties.ts';
import { makeShapeData, type ShapeData } from '../shapes/shape-data.ts';
import { shapeGeometry } from '../shapes/shape-geometry.ts';
import type { Bodies, PosedBodies } from '../api/types.ts';
import type { Dimension } from '../request/dimension.ts';

export const spatial: Dimension = {
  dimension: 3,
  records: spaceRecords,
  poseWords: layouts.Pose.size / 4,
  velocityWords: layouts.Velocity.size / 4,
  shapeWords: layouts.Shape.size / 4,
  recordsPerShape: 2,
  kindWord: layouts.Shape.fields.kind.offset / 4,
  spinAxes: 3,
  spinWord: layouts.Velocity.fields.angular.offset / 4,
  ball: makeShapeData({ type: 'sphere', radius: 1 }),
  satShapes: 'boxes',
  takesWarmStart: true,
  makeShape: (description, field) => makeShapeData(description, field),
  massProperties: (shape, id) => massProperties(shape as ShapeData, id),
  shapeGeometry: (shape) => shapeGeometry(shape as ShapeData),
  validateBodies: (bodies, table) => validateSpaceBodies(bodies as Bodies, table),
  planeOf: (shape) => planeOf(shape as ShapeData | undefined),
  standOnPlanes: (bodies, shapes, angular) => standOnPlanes(bodies as PosedBodies, shapes, angular),
  expectPairs: expectBounded,
  *findPairs(given, all, margin, maxPairs) {
    const bodies = given as PosedBodies;
    const shapes = all as readonly (ShapeData | undefined)[];
    const boxes = yield* boundBodies(bodies, shapes, margin);
    const halfspaces = yield* boundHalfspaces(bodies, shapes, margin);
    return yield* searchPairs(boxes, halfspaces, maxPairs);
  },
  packShapes: (shapes) => packShapes(shapes as readonly (ShapeData | undefined)[]),
  packPoses: (bodies, poses) => packPoses(bodies as PosedBodies, poses),
  withUpright(bodies, shapes, positions, scales) {
    const standing = (bodies as PosedBodies).quaternions;
    const quaternions = allocate('quaternions with rays', Float32Array, 4 * shapes.length);
    quaternions.set(standing);
    for (let word = standing.length + 3; word < quaternions.length; word += 4) quaternions[word] = 1;
    return { shapes, positions, quaternions, scales };
  },
};
