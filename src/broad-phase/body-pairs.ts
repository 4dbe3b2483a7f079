/** The broad phase in 3-D. */
import type { PosedBodies } from '../api/bodies.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { boundBodies, boundHalfspaces } from './bounds.ts';
import { searchPairs } from './sweep-and-prune.ts';

/**
 * The pairs of bodies whose boxes or half-spaces are at most `margin` apart. Throws `LIMIT_EXCEEDED` beyond `maxPairs`
 * pairs.
 */
export function* bodyPairs(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
  maxPairs: number,
): Work<Uint32Array> {
  const boxes = yield* boundBodies(bodies, shapes, margin);
  const halfspaces = yield* boundHalfspaces(bodies, shapes, margin);
  return yield* searchPairs(boxes, halfspaces, maxPairs);
}
