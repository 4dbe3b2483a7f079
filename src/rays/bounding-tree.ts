/**
 * A tree of boxes around bodies: which of them a ray may come near. Bodies are halved at the median of their centres along the axis on which these
 * spread the most, until few are left.
 */

/** Most bodies in a leaf. */
const LEAF_SIZE = 4;

/** Boxes are enlarged by this share of their coordinates: rounding may lose no body. */
const SLACK = 1e-6;

export interface BoundingTree {
  /** Calls `found` with each body whose box, enlarged by `radius`, a ray meets from its origin up to `end` times its direction. */
  cast(origin: ArrayLike<number>, direction: ArrayLike<number>, at: number, end: number, radius: number, found: (body: number) => void): void;
}

/** `centres` are x, y, z a body, `radii` the greatest distance of each from its centre; `bodies` are those in the tree. */
export function createBoundingTree(centres: ArrayLike<number>, radii: ArrayLike<number>, bodies: Uint32Array): BoundingTree {
  const order = Uint32Array.from(bodies);
  const capacity = Math.max(1, 4 * Math.ceil(order.length / LEAF_SIZE));
  /** Least x, y, z and greatest x, y, z of each node. */
  const boxes = new Float64Array(6 * capacity);
  /** Of a leaf: its bodies' first and end in `order`. Of others: the two nodes below, and 0 to tell them apart. */
  const firsts = new Uint32Array(capacity);
  const ends = new Uint32Array(capacity);
  const isLeaf = new Uint8Array(capacity);
  let nodeCount = 0;

  function build(first: number, end: number): number {
    const node = nodeCount++;
    const box = 6 * node;
    const spread = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    boxes.fill(Infinity, box, box + 3);
    boxes.fill(-Infinity, box + 3, box + 6);
    for (let i = first; i < end; i++) {
      const body = order[i];
      for (let k = 0; k < 3; k++) {
        const centre = centres[3 * body + k];
        const reach = radii[body] * (1 + SLACK) + Math.abs(centre) * SLACK;
        boxes[box + k] = Math.min(boxes[box + k], centre - reach);
        boxes[box + 3 + k] = Math.max(boxes[box + 3 + k], centre + reach);
        spread[k] = Math.min(spread[k], centre);
        spread[3 + k] = Math.max(spread[3 + k], centre);
      }
    }
    if (end - first <= LEAF_SIZE) {
      isLeaf[node] = 1;
      firsts[node] = first;
      ends[node] = end;
      return node;
    }
    const sizes = [0, 1, 2].map((k) => spread[3 + k] - spread[k]);
    const axis = sizes.indexOf(Math.max(...sizes));
    order.subarray(first, end).sort((a, b) => centres[3 * a + axis] - centres[3 * b + axis] || a - b);
    const middle = (first + end) >> 1;
    firsts[node] = build(first, middle);
    ends[node] = build(middle, end);
    return node;
  }

  if (order.length > 0) build(0, order.length);
  const waiting: number[] = [];

  return {
    cast(origin, direction, at, end, radius, found) {
      if (order.length === 0) return;
      waiting.push(0);
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (!meets(boxes, 6 * node, origin, direction, at, end, radius)) continue;
        if (isLeaf[node]) for (let i = firsts[node]; i < ends[node]; i++) found(order[i]);
        else waiting.push(ends[node], firsts[node]);
      }
    },
  };
}

/** Whether a ray, number `at` of its arrays, meets a box on its way: Kay, Kajiya, "Ray Tracing Complex Scenes" (1986). */
function meets(boxes: Float64Array, box: number, origin: ArrayLike<number>, direction: ArrayLike<number>, at: number, end: number, radius: number): boolean {
  let enter = 0;
  let leave = end;
  for (let k = 0; k < 3; k++) {
    const o = origin[3 * at + k];
    const d = direction[3 * at + k];
    const reach = radius + Math.abs(o) * SLACK;
    const low = boxes[box + k] - reach - o;
    const high = boxes[box + 3 + k] + reach - o;
    if (d === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enter = Math.max(enter, Math.min(low / d, high / d));
    leave = Math.min(leave, Math.max(low / d, high / d));
  }
  return enter <= leave * (1 + SLACK);
}
