/** Builds the trees of compounds, and bounds the triangles of meshes. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { encloseAligned } from './aligned-boxes.ts';
import { cutParts } from './cut-parts.ts';
import type { PartTree } from './part-tree.ts';

/** Triangles of a mesh. Any soup will do: degenerate, repeated, open. */
export interface Triangles {
  /** f32 values, 3 per vertex. */
  readonly positions: Float64Array;
  /** 3 per triangle, at least one triangle. */
  readonly indices: Uint32Array;
}

/** Triangles between two yields. */
const AT_ONCE = 2 ** 12;

/**
 * Builds the aligned tree of parts with these boxes, 6 numbers per part: min x, y, z, max x, y, z in the shape's frame, each
 * at most 1e38 either way. There is at least one part.
 */
export function* buildPartTree(boxes: Float64Array): Work<PartTree> {
  return yield* encloseAligned(yield* cutParts(boxes), boxes);
}

/** The boxes of the triangles: min x, y, z, max x, y, z. */
export function* boundTriangles({ positions, indices }: Triangles): Work<Float64Array> {
  const isDue = createPace();
  const boxes = allocate('boxes of the triangles', Float64Array, 2 * indices.length);
  const triangles = indices.length / 3;
  for (let first = 0; first < triangles; first += AT_ONCE) {
    boundSome(positions, indices, first, Math.min(first + AT_ONCE, triangles), boxes);
    if (isDue(8 * AT_ONCE)) yield;
  }
  return boxes;
}

function boundSome(
  positions: Float64Array,
  indices: Uint32Array,
  first: number,
  end: number,
  boxes: Float64Array,
): void {
  for (let triangle = first; triangle < end; triangle++) {
    const a = 3 * indices[3 * triangle];
    const b = 3 * indices[3 * triangle + 1];
    const c = 3 * indices[3 * triangle + 2];
    for (let k = 0; k < 3; k++) {
      boxes[6 * triangle + k] = Math.min(positions[a + k], positions[b + k], positions[c + k]);
      boxes[6 * triangle + 3 + k] = Math.max(positions[a + k], positions[b + k], positions[c + k]);
    }
  }
}
