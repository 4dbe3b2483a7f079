/** Typed arrays: those of callers, checked, and our own, allocated. */
import { NarrowphaseError, invalidInput, isDetached } from './errors.ts';

/** A constructor of typed arrays. */
export interface ArrayType<Values> {
  new (length: number): Values;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
}

/** Throws `INVALID_INPUT` unless `value` is of one of these types and its memory is still there. */
export function expectArray<Values>(field: string, value: unknown, ...types: ArrayType<Values>[]): asserts value is Values {
  if (types.some((Type) => value instanceof Type) && !isDetached(value as ArrayBufferView)) return;
  invalidInput(field, value, `a ${types.map(({ name }) => name).join(' or ')}`);
}

/** An array of zeros. Throws `OUT_OF_MEMORY`, which names `field`, where there is no memory for it. */
export function allocate<Values>(field: string, Type: ArrayType<Values>, length: number): Values {
  try {
    return new Type(length);
  } catch (cause) {
    throw new NarrowphaseError('OUT_OF_MEMORY', `${field} needs ${length * Type.BYTES_PER_ELEMENT} bytes, expected no more than this process can allocate`, { cause });
  }
}
