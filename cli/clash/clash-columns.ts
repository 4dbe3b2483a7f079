/** Clashes as a structure of arrays, in ascending order of pair. */

import { CATEGORIES, SOURCES, type Source } from './categories.ts';
import type { Classified } from './classify.ts';
import type { Measured } from './parts/measured.ts';
import type { ContactAnswer } from './reference.ts';

export interface ClashColumns {
  pair: Uint32Array;
  /** Indices into `CATEGORIES` and `SOURCES`. */
  category: Uint8Array;
  source: Uint8Array;
  /** 1: A is inside B. 2: B is inside A. Otherwise 0. */
  inside: Uint8Array;
  distance: Float32Array;
  /** 3 numbers per clash. */
  normal: Float32Array;
  point: Float64Array;
}

/** Collects up to `most` clashes. */
export function createColumns(most: number) {
  const room = createRoom(most);
  let count = 0;
  const add = (pair: number, { category, inside }: Classified, source: Source, distance: number): void => {
    room.pair[count] = pair;
    room.category[count] = CATEGORIES.indexOf(category);
    room.source[count] = SOURCES.indexOf(source);
    room.inside[count] = inside === 'a' ? 1 : inside === 'b' ? 2 : 0;
    room.distance[count++] = distance;
  };
  return {
    /** A pair of convex bodies, as in a slot of an answer. Its distance is exact. */
    addConvex(clash: Classified, { pair, distance, normal, pointA, pointB }: ContactAnswer, slot: number): void {
      for (let axis = 0; axis < 3; axis++) {
        room.normal[3 * count + axis] = normal[3 * slot + axis];
        room.point[3 * count + axis] = (pointA[3 * slot + axis] + pointB[3 * slot + axis]) / 2;
      }
      add(pair[slot], clash, 'exact', distance[slot]);
    },
    addMeasured(measured: Measured): void {
      const { normal, point } = measured;
      room.normal.set([normal.x, normal.y, normal.z], 3 * count);
      room.point.set([point.x, point.y, point.z], 3 * count);
      add(measured.pair, measured, measured.source, measured.distance);
    },
    /** Copies, so that the memory of pairs that are not clashes is freed. */
    finish(): ClashColumns {
      const { pair, category, source, inside, distance, normal, point } = room;
      return {
        pair: pair.slice(0, count),
        category: category.slice(0, count),
        source: source.slice(0, count),
        inside: inside.slice(0, count),
        distance: distance.slice(0, count),
        normal: normal.slice(0, 3 * count),
        point: point.slice(0, 3 * count),
      };
    },
  };
}

/** All clashes of two structures, in ascending order of pair. No pair is in both. */
export function mergeColumns(a: ClashColumns, b: ClashColumns): ClashColumns {
  if (b.pair.length === 0) return a;
  if (a.pair.length === 0) return b;
  const merged = createRoom(a.pair.length + b.pair.length);
  let [nextA, nextB] = [0, 0];
  for (let slot = 0; slot < merged.pair.length; slot++) {
    const isOfA = nextB === b.pair.length || a.pair[nextA] < b.pair[nextB];
    if (isOfA) copySlot(a, nextA++, merged, slot);
    else copySlot(b, nextB++, merged, slot);
  }
  return merged;
}

function copySlot(from: ClashColumns, slot: number, to: ClashColumns, at: number): void {
  for (const name of ['pair', 'category', 'source', 'inside', 'distance'] as const) to[name][at] = from[name][slot];
  for (const name of ['normal', 'point'] as const) {
    for (let axis = 0; axis < 3; axis++) to[name][3 * at + axis] = from[name][3 * slot + axis];
  }
}

function createRoom(count: number): ClashColumns {
  return {
    pair: new Uint32Array(count),
    category: new Uint8Array(count),
    source: new Uint8Array(count),
    inside: new Uint8Array(count),
    distance: new Float32Array(count),
    normal: new Float32Array(3 * count),
    point: new Float64Array(3 * count),
  };
}
