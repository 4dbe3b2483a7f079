/** The caller's arrays that a query reads until it ends. The caller may transfer or shrink their memory meanwhile. */
import { invalidInput } from '../api/errors.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import type { AnyBodies, BodyMotion } from '../records/bodies.ts';
import type { Numbers } from '../util/arrays.ts';

/** Arrays by their fields; values that are none are left out. */
export type NamedArrays = Iterable<readonly [field: string, array: unknown]>;

/** Throws `INVALID_INPUT`, with the field, if an array has lost elements. */
export type EnsureIntact = () => void;

/** Watches arrays, whose lengths do not change as long as they have their memory (`fixedLength`). */
export function watchArrays(named: NamedArrays): EnsureIntact {
  const watched: { field: string; array: Numbers; length: number }[] = [];
  for (const [field, array] of named) {
    if (ArrayBuffer.isView(array)) watched.push({ field, array: array as Numbers, length: (array as Numbers).length });
  }
  return () => {
    for (const { field, array, length } of watched) {
      if (array.length < length) invalidInput(field, array, `to keep its ${length} elements until the query ends`);
    }
  };
}

/** The arrays of `record` as fields of `name`. */
export function fieldsIn(name: string, record: object): [field: string, array: unknown][] {
  return Object.entries(record).map(([field, array]) => [`${name}.${field}`, array]);
}

export function bodyInputs(bodies: AnyBodies, motion?: BodyMotion, filters: CollisionFilters = {}): NamedArrays {
  const { linear, angular } = motion ?? {};
  return fieldsIn('bodies', { ...bodies, ...filters, linearVelocities: linear, angularVelocities: angular });
}
