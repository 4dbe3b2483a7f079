/** Uploads of a query's shapes and bodies: once per query, for all its chunks. */
import { packBodies, packVelocities } from '../records/bodies.ts';
import type { QueryRequest } from '../request/backend.ts';
import type { DeviceState } from './device-slot.ts';
import { scoped } from './error-scopes.ts';

/** Resolves to the size of a cell of fixed-point positions. Shapes are uploaded only if they changed. */
export async function uploadQuery(state: DeviceState, request: QueryRequest): Promise<number> {
  const { session, chunkSizes } = state;
  const { dimension, shapes, bodies, motion } = request;
  const packed = packBodies(bodies, dimension);
  const { verdict } = scoped(session.device, () => {
    if (state.shapesVersion !== shapes.version) {
      const records = dimension.packShapes(shapes.shapes);
      session.pool.upload('shapes', records.shapes);
      session.pool.upload('geometry', records.geometry);
      state.shapesVersion = shapes.version;
      chunkSizes.forget();
    }
    session.pool.upload('poses', packed.poses);
    session.pool.upload('bodies', packed.bodyShapes);
    if (motion) session.pool.upload('velocities', packVelocities(motion, dimension));
  });
  await session.orLost(verdict);
  return packed.cellSize;
}
