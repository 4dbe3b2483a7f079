/** The arrays of results that callers get. */
import { invalidInput, isDetached } from '../api/errors.ts';
import type { QueryName, QueryResult, QueryResults } from '../api/queries.ts';
import { allocate, type ArrayType, type Numbers } from '../util/arrays.ts';
import type { AnyBodies } from './bodies.ts';
import { itemReader } from './items.ts';
import { fieldsOf, type FieldShape } from './result-fields.ts';

type Arrays = Record<string, Numbers>;
/** A result while it is filled. */
export type MutableResult = { count: number; statusCounts: number[]; hits: number } & Arrays;

/**
 * The array `name` of a result: the target's, if there is a target and it has at least `length` elements; or a new one.
 */
function resultArray(target: unknown, name: string, Type: ArrayType<Numbers>, length: number): Numbers {
  if (target === undefined) return allocate(`result.${name}`, Type, length);
  const given = (target as Record<string, unknown> | null)?.[name];
  if (!(given instanceof (Type as Function) && (given as Numbers).length >= length && !isDetached(given as Numbers)))
    invalidInput(`options.target.${name}`, given, `a ${Type.name} of at least ${length} elements`);
  return given as Numbers;
}

/** The arrays that hold each type of element. */
export function elementTypes(hasDoubles: boolean): Readonly<Record<FieldShape['type'], ArrayType<Numbers>>> {
  const point = hasDoubles ? Float64Array : Float32Array;
  return { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, point };
}

/**
 * The arrays of a result of `count` slots: those of the target, which are checked; or those of `own`, which must have
 * `count` slots; or new ones. `hasDoubles`: positions are f64.
 */
export function resultArrays(
  shapes: Readonly<Record<string, FieldShape>>,
  names: readonly string[],
  count: number,
  hasDoubles: boolean,
  target: unknown,
  own: Readonly<Arrays> = {},
): Arrays {
  const types = elementTypes(hasDoubles);
  const arrays: Arrays = {};
  for (const name of names) {
    const { type, width } = shapes[name];
    const isOwn = target === undefined && own[name] !== undefined;
    arrays[name] = isOwn ? own[name] : resultArray(target, name, types[type], width * count);
  }
  return arrays;
}

/** Arrays for a result: those of the caller's target, or arrays that are known already. */
export interface GivenArrays {
  target?: unknown;
  own?: Readonly<Arrays>;
}

/**
 * A result of `count` slots with the arrays `names`, and vectors of `axes` numbers. If there is a target, its arrays are
 * checked and used. Otherwise the result takes the arrays of `own`, and new ones for the rest.
 */
export function createResult<Q extends QueryName>(
  query: Q,
  axes: 2 | 3,
  count: number,
  { positions }: AnyBodies,
  names: readonly string[],
  { target, own }: GivenArrays = {},
): QueryResults[Q] {
  const shapes = fieldsOf(query, axes);
  const arrays = resultArrays(shapes, names, count, positions instanceof Float64Array, target, own);
  const result = { count, statusCounts: [0, 0, 0, 0, 0], hits: 0, ...arrays };
  return withItems(result, shapes, arrays, axes) as unknown as QueryResults[Q];
}

/** Throws `INVALID_INPUT` if an array of a target that the result took over has lost the room for its slots. */
export function expectRoom(
  query: QueryName,
  axes: 2 | 3,
  count: number,
  names: readonly string[],
  result: QueryResult,
): void {
  const shapes = fieldsOf(query, axes);
  for (const name of names) {
    const array = (result as unknown as Arrays)[name];
    const expected = shapes[name].width * count;
    if (array.length < expected)
      invalidInput(`options.target.${name}`, array, `at least ${expected} elements until the query ends`);
  }
}

/** Makes a result iterable as items. */
export function withItems<Result extends { count: number }>(
  result: Result,
  shapes: Readonly<Record<string, FieldShape>>,
  arrays: Arrays,
  axes: number,
): Result & Iterable<object> {
  Object.defineProperty(result, Symbol.iterator, {
    value: function* () {
      const itemIn = itemReader(shapes, arrays, axes);
      for (let slot = 0; slot < result.count; slot++) yield itemIn(slot);
    },
  });
  return result as Result & Iterable<object>;
}
