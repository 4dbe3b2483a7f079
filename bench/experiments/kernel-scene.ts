/** The pairs of a family on a device, for benchmarks that run single kernels of a plan. */

import { USAGE } from '../../src/gpu/buffers.ts';
import { queryBuffers, type PassBuffers, type PassContext, type PassSizes } from '../../src/gpu/query-buffers.ts';
import type { Session } from '../../src/gpu/session.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import type { Family } from '../../verification/families/family.ts';

/** What `bindSteps` takes; all pairs are of one class. The buffers are those of the last scene of the session. */
export interface KernelScene {
  context: PassContext;
  sizes: PassSizes;
  buffers: PassBuffers;
}

export function kernelScene(
  { device, kernels, pool }: Session,
  query: QueryName,
  family: Family,
  table: ShapeTable,
  margin: number,
): KernelScene {
  const pairCount = family.pairs.length / 2;
  const { shapes, geometry } = dimension3.packShapes(table.shapes as readonly (ShapeData | undefined)[]);
  const { poses, bodyShapes, cellSize } = packBodies(family.bodies, dimension3);
  const sizes: PassSizes = {
    pairCount,
    pairCapacity: pairCount,
    bodyCount: family.bodies.shapes.length,
    shapeCount: table.shapes.length,
    margin,
    duration: 0,
    cellSize,
    gatherCapacity: 0,
    callersWorkgroupSize: 1,
  };
  const plan = { query, stageQuery: query, classes: [[]], steps: [] };
  const output = { hitsOnly: false, hasCounts: false, gathersHits: false };
  const buffers = queryBuffers(pool, dimension3, plan, sizes, output, {
    shapeRecords: pool.upload('shapes', shapes),
    geometry: pool.upload('geometry', geometry),
    poses: pool.upload('poses', poses),
    bodyShapes: pool.upload('bodies', bodyShapes),
    pairs: pool.upload('pairs', family.pairs),
  });
  const uniform: PassContext['uniform'] = (label, data) => pool.upload(label, data, USAGE.UNIFORM | USAGE.COPY_DST);
  return { context: { device, kernels, dimension: dimension3, pool, uniform }, sizes, buffers };
}
