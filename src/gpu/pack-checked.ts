/** Uploads and packs bodies that the host has checked, in a submission of its own. */
import { usesFixedPoint, type AnyBodies, type BodyMotion } from '../records/bodies.ts';
import { cellExponentOf } from '../records/cells-of-positions.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { DeviceState } from './device-slot.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import { bindBodies, bindFixedPoint, bindVelocities, formOf, packVariants, wholePool } from './input-passes.ts';
import type { KernelVariant } from './kernels.ts';
import { uploadShapes } from './upload.ts';

/** Bodies, and the shapes that they have. */
interface Scene {
  dimension: Dimension;
  shapes: ShapeTable;
  bodies: AnyBodies;
  motion?: BodyMotion;
}

/**
 * Uploads shapes and bodies, and packs the bodies into `poses`, `bodies` and `velocities` of the session's pool. Returns
 * the edge length of the cells of fixed-point positions. Compiles `others` besides.
 */
export async function packChecked(state: DeviceState, scene: Scene, others: readonly KernelVariant[]): Promise<number> {
  const { device, kernels, pool, orLost } = state.session;
  const { dimension, shapes, bodies, motion } = scene;
  const variants = packVariants(formOf(dimension, bodies, motion), false);
  const cellExponent = usesFixedPoint(bodies) ? cellExponentOf(bodies.positions) : 0;
  await orLost(kernels.prepare([...Object.values(variants), ...others]));
  const { verdict } = scoped(device, () => {
    uploadShapes(state, scene);
    const scope = { device, kernels, pool, home: wholePool(pool), dimension, idCount: shapes.shapes.length };
    const dispatches = [
      bindBodies(scope, variants.bodies, bodies),
      ...(motion ? [bindVelocities(scope, variants.velocities!, motion)] : []),
      ...(variants.fixedPoint ? [bindFixedPoint(scope, variants.fixedPoint, bodies.shapes.length, cellExponent)] : []),
    ];
    const encoder = device.createCommandEncoder({ label: 'backend.bodies' });
    encodePass(encoder, dispatches, { label: 'backend.bodies' });
    device.queue.submit([encoder.finish()]);
  });
  await orLost(verdict);
  return 2 ** cellExponent;
}
