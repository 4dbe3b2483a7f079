/** Parts of a body over a half-space: all below a height, or the lowest. */
import type { PartTree } from '../bvh/part-tree.ts';
import { MAX_DEPTH } from '../bvh/part-tree.ts';
import { transform, transformBack, vec3, set, dot } from '../cpu/math.ts';
import type { BodyPlace } from '../cpu/parts/part-place.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import type { Work } from '../util/turns.ts';

/** A plane seen from a body: a point p of the body's shape is `normal · p + offset` above it, at full scale. */
export interface BodyPlane {
  /** Unit normal times the body's scale. */
  readonly normal: Float64Array;
  offset: number;
}

export function createBodyPlane(): BodyPlane {
  return { normal: new Float64Array(3), offset: 0 };
}

/** More than the rounding of a height, as a share of the lengths that it is computed from. */
const ROUNDING = 2 ** -46;

const normal = vec3();
const toBody = vec3();

/** The plane of the half-space among A and B, seen from the other body. */
export function planeFromBody({ a, b, offset }: PairPlaces, isHalfspaceA: boolean, to: BodyPlane): void {
  const halfspace: BodyPlace = isHalfspaceA ? a : b;
  const body: BodyPlace = isHalfspaceA ? b : a;
  const {
    halfExtents: [x, y, z],
    radius,
  } = halfspace.shape;
  transform(halfspace.rotation, set(x, y, z, normal), normal);
  const sign = isHalfspaceA ? 1 : -1;
  set(sign * offset.x, sign * offset.y, sign * offset.z, toBody);
  to.offset = dot(normal, toBody) - radius * halfspace.scale;
  transformBack(body.rotation, normal, normal);
  to.normal[0] = normal.x * body.scale;
  to.normal[1] = normal.y * body.scale;
  to.normal[2] = normal.z * body.scale;
}

/** The least height of a node's box, rounded down. */
function heightOfNode(
  { boxes, axes, extent }: PartTree,
  node: number,
  { normal: [x, y, z], offset }: BodyPlane,
): number {
  const at = 6 * node;
  const centre = x * boxes[at] + y * boxes[at + 1] + z * boxes[at + 2];
  let reach = 0;
  for (let k = 0; k < 3; k++) {
    const along = axes
      ? x * axes[9 * node + 3 * k] + y * axes[9 * node + 3 * k + 1] + z * axes[9 * node + 3 * k + 2]
      : [x, y, z][k];
    reach += Math.abs(along) * boxes[at + 3 + k];
  }
  const slack = ROUNDING * (Math.abs(offset) + extent * (Math.abs(x) + Math.abs(y) + Math.abs(z)));
  return centre - reach + offset - slack;
}

/** Steps of `createPace` per part and per two boxes. */
const PART_STEPS = 128;
const BOX_STEPS = 16;

/**
 * Calls `visit` for the parts whose boxes reach down to `most` or lower, the lower child first. `visit` returns a new
 * `most`. Returns the least height of the boxes that were cut off, Infinity if there was none.
 */
export function* visitLowParts(
  tree: PartTree,
  plane: BodyPlane,
  most: number,
  visit: (part: number, most: number) => number,
  isDue: (steps: number) => boolean,
): Work<number> {
  const stack = new Uint32Array(MAX_DEPTH);
  const heights = new Float64Array(MAX_DEPTH);
  let cut = Infinity;
  stack[0] = 0;
  heights[0] = heightOfNode(tree, 0, plane);
  let limit = most;
  for (let top = 1; top > 0;) {
    const node = stack[--top];
    if (heights[top] > limit) {
      cut = Math.min(cut, heights[top]);
      continue;
    }
    const left = tree.links[node];
    if (isDue(left < 0 ? PART_STEPS : BOX_STEPS)) yield;
    if (left < 0) {
      limit = visit(-1 - left, limit);
      continue;
    }
    const right = left + 1;
    const leftHeight = heightOfNode(tree, left, plane);
    const rightHeight = heightOfNode(tree, right, plane);
    const isLeftLower = leftHeight <= rightHeight;
    stack[top] = isLeftLower ? right : left;
    heights[top++] = isLeftLower ? rightHeight : leftHeight;
    stack[top] = isLeftLower ? left : right;
    heights[top++] = isLeftLower ? leftHeight : rightHeight;
  }
  return cut;
}
