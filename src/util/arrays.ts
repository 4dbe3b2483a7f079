/** Typed arrays: checks of the caller's arrays, and allocation of new ones. */
import { NarrowphaseError, invalidInput, isDetached } from '../api/errors.ts';

/** The typed arrays of results. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** A constructor of typed arrays. */
export interface ArrayType<Values> {
  new (length: number): Values;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Values;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
}

/** Throws `INVALID_INPUT` unless `value` has one of these types and its buffer isn't detached. */
export function expectArray<Values>(
  field: string,
  value: unknown,
  ...types: ArrayType<Values>[]
): asserts value is Values {
  if (types.some((Type) => value instanceof Type) && !isDetached(value as ArrayBufferView)) return;
  invalidInput(field, value, `a ${types.map(({ name }) => name).join(' or ')}`);
}

/** The array; if its length follows that of its memory, a view of the elements that it has now. */
export function fixedLength<Value>(array: Value): Value {
  if (!ArrayBuffer.isView(array) || isDetached(array)) return array;
  const memory = array.buffer as { resizable?: boolean; growable?: boolean };
  const view = array as unknown as Numbers;
  return memory.resizable || memory.growable ? (view.subarray(0, view.length) as Value) : array;
}

/** An array of zeros. If there isn't enough memory, throws `OUT_OF_MEMORY` with `field` in the message. */
export function allocate<Values>(field: string, Type: ArrayType<Values>, length: number): Values {
  return orOutOfMemory(field, length * Type.BYTES_PER_ELEMENT, () => new Type(length));
}

/** A copy of the array. Throws `OUT_OF_MEMORY` as `allocate` does. */
export function copyOf<Values extends Numbers>(field: string, array: Values): Values {
  // The constructor does not fill the memory with zeros first, as `slice`, or `set` on a new array, would.
  const Type = array.constructor as new (array: Values) => Values;
  return orOutOfMemory(field, array.byteLength, () => new Type(array));
}

/** Memory that threads share. Throws `OUT_OF_MEMORY` as `allocate` does. */
export function allocateShared(field: string, bytes: number): SharedArrayBuffer {
  return orOutOfMemory(field, bytes, () => new SharedArrayBuffer(bytes));
}

function orOutOfMemory<Memory>(field: string, bytes: number, make: () => Memory): Memory {
  try {
    return make();
  } catch (cause) {
    const message = `${field} needs ${bytes} bytes, expected no more than this process can allocate`;
    throw new NarrowphaseError('OUT_OF_MEMORY', message, { cause });
  }
}
