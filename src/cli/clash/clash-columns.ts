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

/** Collects up to `room` clashes. */
export function createColumns(room: number) {
  const pairs = new Uint32Array(room);
  const categories = new Uint8Array(room);
  const sources = new Uint8Array(room);
  const insides = new Uint8Array(room);
  const distances = new Float32Array(room);
  const normals = new Float32Array(3 * room);
  const points = new Float64Array(3 * room);
  let count = 0;
  const add = (pair: number, { category, inside }: Classified, source: Source, distance: number): void => {
    pairs[count] = pair;
    categories[count] = CATEGORIES.indexOf(category);
    sources[count] = SOURCES.indexOf(source);
    insides[count] = inside === 'a' ? 1 : inside === 'b' ? 2 : 0;
    distances[count++] = distance;
  };
  return {
    /** A pair of convex bodies, as in a slot of an answer. Its distance is exact. */
    addConvex(clash: Classified, { pair, distance, normal, pointA, pointB }: ContactAnswer, slot: number): void {
      for (let axis = 0; axis < 3; axis++) {
        normals[3 * count + axis] = normal[3 * slot + axis];
        points[3 * count + axis] = (pointA[3 * slot + axis] + pointB[3 * slot + axis]) / 2;
      }
      add(pair[slot], clash, 'exact', distance[slot]);
    },
    addMeasured(measured: Measured): void {
      const { normal, point } = measured;
      normals.set([normal.x, normal.y, normal.z], 3 * count);
      points.set([point.x, point.y, point.z], 3 * count);
      add(measured.pair, measured, measured.source, measured.distance);
    },
    /** Copies, so that the memory of pairs that are no clashes is freed. */
    finish(): ClashColumns {
      return {
        pair: pairs.slice(0, count),
        category: categories.slice(0, count),
        source: sources.slice(0, count),
        inside: insides.slice(0, count),
        distance: distances.slice(0, count),
        normal: normals.slice(0, 3 * count),
        point: points.slice(0, 3 * count),
      };
    },
  };
}
