/** The arrays of results that callers get. */
import { invalidInput, isDetached } from '../api/errors.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import { allocate, type ArrayType } from '../util/arrays.ts';
import type { AnyBodies } from './bodies.ts';
import { itemOf } from './items.ts';
import { MANIFOLD_POINTS } from './layout.ts';

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
/** Elements per slot, and the constructor of the array. */
type Field = readonly [width: number, Type: ArrayType<Numbers>];
export type ResultFields = Readonly<Record<string, Field>>;
type Arrays = Record<string, Numbers>;
/** A result while it is filled. */
export type MutableResult = { count: number; statusCounts: number[]; hits: number } & Arrays;

/** A caller's options that change the arrays of a result. */
export interface ResultOptions<Result> {
  bounds?: boolean;
  bodies?: boolean;
  target?: Result;
}

/** The arrays of a result by name. Points are in a `Float64Array` if positions are. */
export function fieldsOf(
  query: QueryName,
  axes: number,
  { positions }: AnyBodies,
  { bounds, bodies }: ResultOptions<unknown>,
): ResultFields {
  const points = positions instanceof Float64Array ? Float64Array : Float32Array;
  const ofPair = { pair: [1, Uint32Array], status: [1, Uint8Array] } as const;
  const common = bodies ? ({ ...ofPair, a: [1, Uint32Array], b: [1, Uint32Array] } as const) : ofPair;
  if (query === 'intersects') return { ...common, hit: [1, Uint8Array] };
  if (query === 'manifolds') {
    return {
      ...common,
      normal: [axes, Float32Array],
      contactDistance: [1, Float32Array],
      pointCount: [1, Uint8Array],
      position: [axes * MANIFOLD_POINTS, points],
      distance: [MANIFOLD_POINTS, Float32Array],
      feature: [MANIFOLD_POINTS, Uint32Array],
    };
  }
  if (query === 'impacts') {
    return {
      ...common,
      time: [1, Float32Array],
      unclampedTime: [1, Float32Array],
      normal: [axes, Float32Array],
      point: [axes, points],
      iterations: [1, Uint16Array],
    };
  }
  const distance = {
    ...common,
    distance: [1, Float32Array],
    normal: [axes, Float32Array],
    pointA: [axes, points],
    pointB: [axes, points],
  } as const;
  if (query === 'distances') return distance;
  const contact = {
    ...distance,
    featureA: [1, Uint32Array],
    featureB: [1, Uint32Array],
    iterations: [1, Uint16Array],
  } as const;
  return bounds ? { ...contact, lower: [1, Float32Array], upper: [1, Float32Array] } : contact;
}

/**
 * The array `name` of a result: the target's, if there is a target and it has at least `length` elements; or a new one.
 */
export function resultArray<Values extends ArrayLike<number> & ArrayBufferView>(
  target: object | undefined,
  name: string,
  Type: ArrayType<Values>,
  length: number,
): Values {
  if (target === undefined) return allocate(`result.${name}`, Type, length);
  const given = (target as Record<string, unknown> | null)?.[name];
  if (!(given instanceof Type && given.length >= length && !isDetached(given)))
    invalidInput(`options.target.${name}`, given, `a ${Type.name} of at least ${length} elements`);
  return given;
}

/**
 * An empty result of `count` slots, with vectors of `axes` numbers. If there is a target, its arrays are checked and
 * used.
 */
export function createResult<Q extends QueryName>(
  query: Q,
  axes: 2 | 3,
  count: number,
  bodies: AnyBodies,
  options: ResultOptions<QueryResults[Q]>,
): QueryResults[Q] {
  const result = { count, statusCounts: [0, 0, 0, 0, 0], hits: 0 } as unknown as MutableResult;
  for (const [name, [width, Type]] of Object.entries(fieldsOf(query, axes, bodies, options))) {
    result[name] = resultArray(options.target, name, Type, width * count);
  }
  Object.defineProperty(result, Symbol.iterator, {
    value: function* () {
      const { a, b } = result;
      for (let slot = 0; slot < count; slot++) {
        const item = itemOf(query, result, slot, axes);
        yield options.bodies ? { ...item, a: a[slot], b: b[slot] } : item;
      }
    },
  });
  return result as unknown as QueryResults[Q];
}
