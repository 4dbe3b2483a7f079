/** Uploads of shapes. */
import type { BodyPairs } from '../request/backend.ts';
import type { DeviceState } from './device-slot.ts';

/** Uploads shapes if they changed. */
export function uploadShapes(state: DeviceState, { shapes, dimension }: Pick<BodyPairs, 'shapes' | 'dimension'>): void {
  const { session } = state;
  if (state.shapesVersion === shapes.version) return;
  const records = dimension.packShapes(shapes.shapes);
  session.pool.upload('shapes', records.shapes);
  session.pool.upload('geometry', records.geometry);
  state.shapesVersion = shapes.version;
}
