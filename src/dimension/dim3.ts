/** 3-D: shapes, bodies and records, the plans of the kernels, and the reference. */
import { allocate } from '../util/arrays.ts';
import { layouts } from '../generated/layouts.ts';
import { centredHalfspace, absorbHalfspaceOffsets } from '../records/halfspaces.ts';
import { spaceRecords } from '../records/layout.ts';
import { packShapes } from '../records/shapes.ts';
import { expectBounded, readSpaceBodies } from '../request/validate-bodies.ts';
import { massPropertiesOfAny, shapeGeometryOfAny } from '../shapes/part-properties.ts';
import { makeShapeData, moveMesh, type ShapeData } from '../shapes/shape-data.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import type { PosedBodies } from '../api/types.ts';
import { spatialPlanner } from '../gpu/plan.ts';
import type { Dimension } from '../request/dimension.ts';
import { door } from '../util/door.ts';
import type { DimensionParts } from './parts.ts';

const loadImpactPlanner = door('impacts', async () => (await import('../gpu/impact-plan.ts')).impactPlanner);

export const dimension3: Dimension<ShapeData, PosedBodies, ShapeDescription> = {
  dimension: 3,
  records: spaceRecords,
  poseWords: layouts.Pose.size / 4,
  velocityWords: layouts.Velocity.size / 4,
  rayWords: layouts.RayCast.size / 4,
  shapeWords: layouts.Shape.size / 4,
  recordsPerShape: 2,
  kindWord: layouts.Shape.fields.kind.offset / 4,
  angularComponents: 3,
  angularWord: layouts.Velocity.fields.angular.offset / 4,
  ball: makeShapeData({ type: 'sphere', radius: 1 }),
  satShapes: 'boxes',
  takesWarmStart: true,
  makeShape: (description, field) => makeShapeData(description, field),
  massProperties: massPropertiesOfAny,
  shapeGeometry: shapeGeometryOfAny,
  moveMesh,
  readBodies: readSpaceBodies,
  centredHalfspace,
  absorbHalfspaceOffsets,
  expectPairs: expectBounded,
  loadBroadPhase: async () => (await import('../broad-phase/body-pairs.ts')).bodyBroadPhase,
  packShapes,
  withUpright({ quaternions: standing }, shapes, positions, scales) {
    const quaternions = allocate('quaternions with rays', Float32Array, 4 * shapes.length);
    quaternions.set(standing);
    for (let word = standing.length + 3; word < quaternions.length; word += 4) quaternions[word] = 1;
    return { shapes, positions, quaternions, scales };
  },
};

export const dim3: DimensionParts = {
  dimension: dimension3,
  planners: { of: (query) => (query === 'impacts' ? loadImpactPlanner() : spatialPlanner) },
  loadReference: async () => (await import('../cpu/answer-pair.ts')).answerPair,
};
