/**
 * Spoils one argument of a call: values of other types, arrays of other lengths, numbers that are none, memory that is
 * gone or shared.
 */

import { below, type Random } from '../../../verification/families/random.ts';

/** What was spoiled, such as `bodies.positions: detached`. */
export type Mutation = string;

type Slot = { owner: Record<string, unknown> | unknown[]; key: string | number; path: string };

/** Fields that tests of refusals may not spoil: a tester's own objects, which have no value to compare with. */
const KEPT = new Set(['target', 'signal', 'warmStart']);

/**
 * Spoils one of the arguments, which are named for the report. The arguments themselves are changed; nothing else of
 * the caller's is.
 */
export function mutate(random: Random, names: readonly string[], args: unknown[]): Mutation {
  const slots: Slot[] = [];
  args.forEach((value, i) => collect({ owner: args, key: i, path: names[i] }, value, slots));
  const { owner, key, path } = slots[below(random, slots.length)];
  const old = (owner as Record<string, unknown>)[key];
  const [label, value] = spoiled(random, old);
  (owner as Record<string, unknown>)[key] = value;
  return `${path}: ${label}`;
}

function collect(slot: Slot, value: unknown, slots: Slot[]): void {
  slots.push(slot);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Array.isArray(value)) return;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    if (!KEPT.has(key)) collect({ owner: fields, key, path: `${slot.path}.${key}` }, fields[key], slots);
  }
}

type Numbers = Float32Array | Float64Array | Uint32Array;

function spoiled(random: Random, old: unknown): [string, unknown] {
  const pick = <T>(items: readonly T[]): T => items[below(random, items.length)];
  if (ArrayBuffer.isView(old) && below(random, 5) > 0) return pick(arrayMutations)(random, old as Numbers);
  if (typeof old === 'number' && below(random, 5) > 0) {
    const value = pick([
      NaN,
      Infinity,
      -Infinity,
      -1,
      -0,
      0,
      0.5,
      1e-40,
      1e30,
      1e40,
      2 ** 31,
      2 ** 32,
      '1',
      [1],
      new Number(1),
    ]);
    return [describe(value), value];
  }
  if (typeof old === 'string' && below(random, 5) > 0) {
    const value = pick(['', 'nonsense', `${old} `, old.toUpperCase(), new String(old), [old]]);
    return [describe(value), value];
  }
  const value = pick([
    undefined,
    null,
    0,
    1,
    -1,
    '',
    'x',
    true,
    false,
    7n,
    [],
    {},
    () => 0,
    Symbol.iterator,
    new Float32Array(0),
    new Uint32Array(2),
    new ArrayBuffer(8),
    new Map(),
  ]);
  return [describe(value), value];
}

const arrayMutations: ((random: Random, old: Numbers) => [string, unknown])[] = [
  (_, old) => ['a plain array', Array.from(old)],
  (_, old) => ['one longer', withLength(old, old.length + 1)],
  (_, old) => ['one shorter', withLength(old, Math.max(0, old.length - 1))],
  (_, old) => ['empty', withLength(old, 0)],
  (_, old) => ['another type', old instanceof Float32Array ? Float64Array.from(old) : Float32Array.from(old)],
  (_, old) => ['an Int32Array', Int32Array.from(old)],
  (_, old) => ['a DataView', new DataView(old.buffer as ArrayBuffer)],
  (_, old) => {
    const copy = old.slice();
    structuredClone(copy, { transfer: [copy.buffer] });
    return ['detached', copy];
  },
  (_, old) => ['shared', over(old, new SharedArrayBuffer(old.byteLength))],
  (_, old) => [
    'resizable',
    over(old, new (ArrayBuffer as ResizableConstructor)(old.byteLength, { maxByteLength: 2 * old.byteLength + 8 })),
  ],
  (_, old) => [
    'a view into a larger buffer',
    over(old, new ArrayBuffer(old.byteLength + 64), 2 * old.BYTES_PER_ELEMENT),
  ],
  ...[NaN, Infinity, -1, 0, 1e-40, 1e20, 1e38, 2 ** 32 - 1, 2 ** 31].map(
    (value) =>
      (random: Random, old: Numbers): [string, unknown] => {
        const copy = old.slice();
        if (copy.length > 0) copy[below(random, copy.length)] = value;
        return [`${value} inside`, copy];
      },
  ),
];

type ResizableConstructor = new (size: number, options: { maxByteLength: number }) => ArrayBuffer;

function withLength(old: Numbers, length: number): Numbers {
  const copy = new (old.constructor as new (length: number) => Numbers)(length);
  copy.set(old.subarray(0, length));
  return copy;
}

function over(old: Numbers, buffer: ArrayBufferLike, offset = 0): Numbers {
  const view = new (old.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers)(
    buffer,
    offset,
    old.length,
  );
  view.set(old);
  return view;
}

function describe(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value;
  if (typeof value === 'object' && value !== null) return `${value.constructor.name} ${JSON.stringify(value)}`;
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'undefined');
}
