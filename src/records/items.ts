/** Items of a result: its slots as objects. */
import type { Numbers } from '../util/arrays.ts';
import { MANIFOLD_POINTS } from './layout.ts';
import type { FieldShape } from './result-fields.ts';

/** Reads the value of an item's field. `index` is a slot, or MANIFOLD_POINTS times a slot plus a point. */
type Read = (index: number) => unknown;
type Reads = [name: string, read: Read][];

/** Returns a function that makes the item in a slot of a result with these arrays, whose shapes are in `shapes`. */
export function itemReader(
  shapes: Readonly<Record<string, FieldShape>>,
  arrays: Readonly<Record<string, Numbers>>,
  axes: number,
): (slot: number) => object {
  const reads: Reads = [];
  const ofPoint: Reads = [];
  for (const [name, array] of Object.entries(arrays)) {
    const { width, item } = shapes[name];
    const perPoint = width / MANIFOLD_POINTS;
    if (item === 'ofPoint') ofPoint.push([name, perPoint === 1 ? numberOf(array) : vectorOf(array, axes)]);
    else if (item === 'points') reads.push(['points', pointsOf(array, ofPoint)]);
    else if (item === 'list')
      reads.push([name, (slot) => Array.from(array.subarray(width * slot, width * slot + width))]);
    else if (item === 'flag') reads.push([name, (slot) => array[slot] === 1]);
    else reads.push([name, width === 1 ? numberOf(array) : vectorOf(array, axes)]);
  }
  return (slot) => read(reads, slot);
}

function read(reads: Reads, index: number): object {
  const item: Record<string, unknown> = {};
  for (let i = 0; i < reads.length; i++) item[reads[i][0]] = reads[i][1](index);
  return item;
}

function numberOf(array: Numbers): Read {
  return (index) => array[index];
}

function vectorOf(array: Numbers, axes: number): Read {
  if (axes === 2) return (index) => [array[2 * index], array[2 * index + 1]];
  return (index) => [array[3 * index], array[3 * index + 1], array[3 * index + 2]];
}

function pointsOf(pointCount: Numbers, ofPoint: Reads): Read {
  return (slot) =>
    Array.from({ length: pointCount[slot] }, (_, point) => read(ofPoint, MANIFOLD_POINTS * slot + point));
}
