/** The broad phase in 2-D. */
import type { PlanarBodies } from '../api/planar.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { Work } from '../util/turns.ts';
import { boundPlanarBodies } from './planar-bounds.ts';
import { searchPairs } from './sweep-and-prune.ts';

/** The pairs of bodies whose boxes are at most `margin` apart. Throws `LIMIT_EXCEEDED` beyond `maxPairs` pairs. */
export function* planarBodyPairs(
  bodies: PlanarBodies,
  shapes: readonly (PlanarShapeData | undefined)[],
  margin: number,
  maxPairs: number,
): Work<Uint32Array> {
  return yield* searchPairs(yield* boundPlanarBodies(bodies, shapes, margin), [], maxPairs);
}
