/** Copies of typed arrays in every kind of memory that a caller may have them in, and arrays whose memory is gone. */

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Bytes before an array in its memory. */
const FRONT = 16;

/** Memory of so many bytes by what it is. */
const allocations = {
  'a part of an ArrayBuffer': (bytes: number) => new ArrayBuffer(bytes),
  'a SharedArrayBuffer': (bytes: number) => new SharedArrayBuffer(bytes),
  'a resizable ArrayBuffer': (bytes: number) => new (ArrayBuffer as Resizable)(bytes, { maxByteLength: 2 * bytes }),
  'a growable SharedArrayBuffer': (bytes: number) =>
    new (SharedArrayBuffer as unknown as Resizable)(bytes, { maxByteLength: 2 * bytes }),
} as const;

/** The constructor of memory, as ES2024 has it. */
type Resizable = new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;

export type Memory = keyof typeof allocations;
export const memories = Object.keys(allocations) as Memory[];

/** The same with every typed array in it, at any depth, copied to other memory. */
export function inMemory<T>(value: T, memory: Memory): T {
  if (ArrayBuffer.isView(value)) return copyTo(value as unknown as Numbers, memory) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inMemory(item, memory)])) as T;
}

function copyTo(array: Numbers, memory: Memory): Numbers {
  const ArrayType = array.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers;
  const copy = new ArrayType(allocations[memory](FRONT + array.byteLength), FRONT, array.length);
  copy.set(array);
  return copy;
}

/** The array, once its memory is transferred to elsewhere. */
export function detached<Array extends Numbers>(array: Array): Array {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/**
 * What `use` gives while no typed array of more than so many bytes can be made, as in a process that is out of memory.
 */
export async function withMemoryOf<Result>(bytes: number, use: () => Promise<Result>): Promise<Result> {
  const names = [
    'Uint8Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'ArrayBuffer',
  ] as const;
  const kept = names.map((name) => globalThis[name]);
  for (const name of names) {
    const Real = globalThis[name] as unknown as new (...parameters: unknown[]) => object;
    const width = (Real as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
    const construct = (_: unknown, [first, ...others]: unknown[]): object => {
      const length = ArrayBuffer.isView(first) ? (first as Numbers).length : first;
      if (typeof length === 'number' && length * width > bytes) throw new RangeError('Array buffer allocation failed');
      return new Real(...(first === undefined ? [] : [first, ...others]));
    };
    const limited = new Proxy(Real, { construct });
    Object.assign(globalThis, { [name]: limited });
    // Arrays that exist tell their constructor too.
    Real.prototype.constructor = limited;
  }
  try {
    return await use();
  } finally {
    names.forEach((name, i) => {
      Object.assign(globalThis, { [name]: kept[i] });
      kept[i].prototype.constructor = kept[i];
    });
  }
}
