/**
 * Half-spaces whose offsets are absorbed into the positions of their bodies.
 *
 * A kernel computes a body's height over a half-space from numbers as large as the half-space's offset, which f32 rounds.
 * 64-bit positions can absorb the offset instead: the half-space's body moves by it along the normal, in double
 * precision, and its shape gets the offset 0.
 */
import { allocate } from '../util/arrays.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { PosedBodies } from '../api/types.ts';

/**
 * The same bodies, with the offsets of half-spaces moved into their positions. f32 positions can't hold the offset, so
 * with them no body moves. A rotating half-space stays, since it turns about its position. `table` is a snapshot.
 * `angular` has 3 numbers per body.
 */
export function absorbHalfspaceOffsets(bodies: PosedBodies, table: ShapeTable, angular?: Float32Array): PosedBodies {
  const { shapes, centredHalfspaces } = table;
  const { shapes: ids, positions: given, quaternions, scales } = bodies;
  if (!(given instanceof Float64Array) || !centredHalfspaces?.size) return bodies;
  const count = ids.length;
  const moved = {
    ...bodies,
    shapes: allocate('shapes on planes', Uint32Array, count),
    positions: allocate('positions on planes', Float64Array, 3 * count),
  };
  moved.shapes.set(ids);
  moved.positions.set(given);
  for (let body = 0; body < ids.length; body++) {
    const centred = centredHalfspaces.get(ids[body]);
    if (centred === undefined || angular?.subarray(3 * body, 3 * body + 3).some((speed) => speed !== 0)) continue;
    const { halfExtents: normal, radius: offset } = shapes[ids[body]] as ShapeData;
    const out = rotated(quaternions.subarray(4 * body, 4 * body + 4), normal);
    moved.shapes[body] = centred;
    for (let k = 0; k < 3; k++) moved.positions[3 * body + k] += out[k] * offset * (scales ? scales[body] : 1);
  }
  return moved;
}

/** A vector turned by a quaternion of any length. */
function rotated([x, y, z, w]: Float32Array, [a, b, c]: readonly number[]): readonly number[] {
  const twice = 2 / (x * x + y * y + z * z + w * w);
  const u = y * c - z * b;
  const v = z * a - x * c;
  const t = x * b - y * a;
  return [
    a + twice * (w * u + y * t - z * v),
    b + twice * (w * v + z * u - x * t),
    c + twice * (w * t + x * v - y * u),
  ];
}

/**
 * The half-space without offset for each half-space, cached so that it is always the same object: a shape is sent to a
 * worker thread again only if its object has changed.
 */
const centredHalfspaces = new WeakMap<ShapeData, ShapeData>();

/** A half-space's shape without its offset. Undefined for other shapes and for offset 0. */
export function centredHalfspace(shape: ShapeData | undefined): ShapeData | undefined {
  if (shape?.kind !== CORE_HALFSPACE || shape.radius === 0) return undefined;
  const centred = centredHalfspaces.get(shape) ?? { ...shape, radius: 0, extent: 0 };
  centredHalfspaces.set(shape, centred);
  return centred;
}
