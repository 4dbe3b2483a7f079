/** 2-D: shapes, bodies and records, the plans of the kernels, and the reference. */
import { invalidInput } from '../api/errors.ts';
import { allocate } from '../util/arrays.ts';
import { layouts } from '../generated/layouts.ts';
import { packPlanarShapes } from '../records/planar-shapes.ts';
import { planarRecords } from '../records/layout.ts';
import { readPlanarBodies } from '../request/validate-bodies.ts';
import { planarMassPropertiesOfAny, planarShapeGeometryOfAny } from '../shapes/planar-part-properties.ts';
import { makePlanarShapeData, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { PlanarShapeDescription } from '../api/planar-shapes.ts';
import type { PlanarBodies } from '../api/types.ts';
import { planarPlanner } from '../gpu/planar-plan.ts';
import type { Dimension } from '../request/dimension.ts';
import type { DimensionParts } from './parts.ts';

export const dimension2: Dimension<PlanarShapeData, PlanarBodies, PlanarShapeDescription> = {
  dimension: 2,
  records: planarRecords,
  poseWords: layouts.PlanarPose.size / 4,
  velocityWords: layouts.PlanarVelocity.size / 4,
  rayWords: layouts.PlanarRayCast.size / 4,
  shapeWords: layouts.PlanarShape.size / 4,
  recordsPerShape: 1,
  kindWord: layouts.PlanarShape.fields.kindAndCount.offset / 4,
  angularComponents: 1,
  angularWord: layouts.PlanarVelocity.fields.angular.offset / 4,
  ball: makePlanarShapeData({ type: 'circle', radius: 1 }),
  satShapes: 'segments, rectangles and polygons',
  takesWarmStart: false,
  makeShape: (description, field) => makePlanarShapeData(description, field),
  moveMesh: () =>
    invalidInput('options.dimension', 2, '3 for updateMesh: a chain is removed and added with its new points'),
  massProperties: planarMassPropertiesOfAny,
  shapeGeometry: planarShapeGeometryOfAny,
  readBodies: readPlanarBodies,
  // There are no half-spaces, and any two shapes have a distance.
  centredHalfspace: () => undefined,
  absorbHalfspaceOffsets: (bodies) => bodies,
  expectPairs() {},
  loadBroadPhase: async () => (await import('../broad-phase/planar-body-pairs.ts')).planarBroadPhase,
  packShapes: packPlanarShapes,
  withUpright({ angles: standing }, shapes, positions, scales) {
    const angles = allocate('angles with rays', Float32Array, shapes.length);
    angles.set(standing);
    return { shapes, positions, angles, scales };
  },
};

export const dim2: DimensionParts = {
  dimension: dimension2,
  planners: { of: () => planarPlanner },
  loadReference: async () => (await import('../cpu/planar/answer-pair.ts')).answerPlanarPair,
};
