/**
 * Boxes sorted into classes by size, for the trees of box-tree.ts. A class spans a factor of 4 in the greatest edge length,
 * counted down from that of the largest box. Fixed bodies have classes of their own.
 */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { isEmptyBox } from './bounding.ts';
import type { Points } from '../util/select.ts';

/** Classes of bodies that are not fixed, and as many of those that are. The smallest boxes share the last one. */
export const SIZE_CLASSES = 32;

/** The centres of all boxes that are not empty, sorted by class, and where each class ends. Fixed bodies come last. */
export function* sortByClass(boxes: Float64Array, fixed?: Uint8Array): Work<{ points: Points; ends: Uint32Array }> {
  const isDue = createPace();
  const total = boxes.length / 6;
  let largest = 0;
  for (let first = 0; first < total; first += 512) {
    largest = Math.max(largest, largestOf(boxes, first, Math.min(first + 512, total)));
    if (isDue(2048)) yield;
  }
  const classes = allocate('classes of the boxes', Uint8Array, total);
  const sizes = new Uint32Array(2 * SIZE_CLASSES + 1);
  for (let first = 0; first < total; first += 256) {
    classify(boxes, fixed, largest, first, Math.min(first + 256, total), { classes, sizes });
    if (isDue(2048)) yield;
  }
  const ends = new Uint32Array(2 * SIZE_CLASSES);
  for (let i = 1; i < ends.length; i++) ends[i] = ends[i - 1] + sizes[i - 1];
  const count = ends[ends.length - 1] + sizes[ends.length - 1];
  const points: Points = {
    axes: [
      allocate('centres of the boxes', Float64Array, count),
      allocate('centres of the boxes', Float64Array, count),
      allocate('centres of the boxes', Float64Array, count),
    ],
    ids: allocate('boxes of the tree', Uint32Array, count),
  };
  for (let first = 0; first < total; first += 256) {
    placePoints(boxes, classes, first, Math.min(first + 256, total), points, ends);
    if (isDue(2048)) yield;
  }
  return { points, ends };
}

/** The greatest edge length of some boxes. That of an empty box is negative. */
function largestOf(boxes: Float64Array, first: number, end: number): number {
  let largest = 0;
  for (let at = 6 * first; at < 6 * end; at += 6) {
    const size = Math.max(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
    if (size > largest) largest = size;
  }
  return largest;
}

/** The class of each box, and the number of boxes in each class. */
interface Classes {
  classes: Uint8Array;
  sizes: Uint32Array;
}

/** Writes the classes of some boxes, and counts them. The class after the last is that of empty boxes. */
function classify(
  boxes: Float64Array,
  fixed: Uint8Array | undefined,
  largest: number,
  first: number,
  end: number,
  { classes, sizes }: Classes,
): void {
  for (let i = first, at = 6 * first; i < end; i++, at += 6) {
    let own = 2 * SIZE_CLASSES;
    if (!isEmptyBox(boxes, i)) {
      const size = Math.max(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
      own = classOf(size, largest) + (fixed && fixed[i] !== 0 ? SIZE_CLASSES : 0);
    }
    classes[i] = own;
    sizes[own]++;
  }
}

/** The largest boxes are in class 0. */
function classOf(size: number, largest: number): number {
  return size > 0 ? Math.min(SIZE_CLASSES - 1, Math.floor(Math.log2(largest / size) / 2)) : SIZE_CLASSES - 1;
}

/** Puts the centres of some boxes after those of their classes, and moves the ends. */
function placePoints(
  boxes: Float64Array,
  classes: Uint8Array,
  first: number,
  end: number,
  { axes: [x, y, z], ids }: Points,
  ends: Uint32Array,
): void {
  for (let i = first, at = 6 * first; i < end; i++, at += 6) {
    if (classes[i] >= ends.length) continue;
    const to = ends[classes[i]]++;
    x[to] = boxes[at] + boxes[at + 3];
    y[to] = boxes[at + 1] + boxes[at + 4];
    z[to] = boxes[at + 2] + boxes[at + 5];
    ids[to] = i;
  }
}
