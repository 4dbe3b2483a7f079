/**
 * Code of a `NarrowphaseError`.
 *
 * - `INVALID_INPUT`: an argument is wrong: its value, type or length, or an unknown option, field or shape key.
 * - `LIMIT_EXCEEDED`: an argument is valid but larger than the tester, the device or the package supports.
 * - `OUT_OF_MEMORY`: an allocation failed, on the device or on the host.
 * - `WEBGPU_UNAVAILABLE`: no adapter can be used, or the operation needs a GPU and the tester runs on the CPU.
 * - `DEVICE_LOST`: the device was lost while the query ran.
 * - `SHADER`: a kernel could not be loaded or compiled. In a service worker with code splitting: no part of the package
 *   can be loaded.
 * - `ABORTED`: the `signal` of the call fired.
 * - `DISPOSED`: the tester, batch or warm start was disposed of.
 */
export type ErrorCode =
  | 'WEBGPU_UNAVAILABLE'
  | 'LIMIT_EXCEEDED'
  | 'OUT_OF_MEMORY'
  | 'DEVICE_LOST'
  | 'INVALID_INPUT'
  | 'DISPOSED'
  | 'ABORTED'
  | 'SHADER';

/**
 * Every error that this package throws on purpose. `message` names the argument, its value and what was expected;
 * `cause` is the error behind it, if any.
 */
export class NarrowphaseError extends Error {
  /** What went wrong. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NarrowphaseError';
    this.code = code;
  }
}

/** Whether it is an error of this package with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof NarrowphaseError && error.code === code;
}

/** Throws `INVALID_INPUT` with the message "FIELD is VALUE, expected EXPECTED". */
export function invalidInput(field: string, value: unknown, expected: string): never {
  throw new NarrowphaseError('INVALID_INPUT', `${field} is ${show(value)}, expected ${expected}`);
}

/** Most characters of a value in a message, and how deep a value is gone into. */
const LONGEST = 80;
const DEEPEST = 16;

/** A value in at most `LONGEST` characters. However large it is, little more of it is looked at than is shown. */
function show(value: unknown): string {
  if (isPlain(value)) return showPlain(value);
  try {
    const text = sketch(value, DEEPEST);
    if (text !== undefined) return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
  } catch {
    // A getter of the caller's that throws.
  }
  return 'an object';
}

/** Neither a list nor an object with fields. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null || ArrayBuffer.isView(value);
}

function showPlain(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (value instanceof DataView) return 'a DataView';
  if (ArrayBuffer.isView(value)) {
    const { name } = value.constructor;
    return isDetached(value) ? `a detached ${name}` : `${name} of ${(value as Float32Array).length} elements`;
  }
  return String(value);
}

/**
 * Whether a typed array has lost its memory: the buffer was transferred to elsewhere, or shrank. Such an array has no
 * elements, and its methods throw.
 */
export function isDetached(array: ArrayBufferView): boolean {
  if (array.byteLength > 0) return false;
  try {
    (array as Uint8Array).keys();
    return false;
  } catch {
    return true;
  }
}

/**
 * The start of a list or an object as JSON, with the NaN and the infinities that JSON does not have; undefined where it
 * goes deeper than `depth`.
 */
function sketch(value: unknown, depth: number): string | undefined {
  if (depth === 0) return undefined;
  let text = '';
  for (const [label, item] of partsOf(value as object)) {
    const shown = isPlain(item) ? showPlain(item) : sketch(item, depth - 1);
    if (shown === undefined) return undefined;
    text += `${text === '' ? '' : ','}${label}${shown}`;
    if (text.length > LONGEST) break;
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}

/** Elements of a list or fields of an object, one by one, with what stands before each. */
function* partsOf(value: object): Generator<[label: string, item: unknown]> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield ['', value[i]];
  } else {
    // A list of all names would take a look at each field.
    for (const name in value) {
      if (Object.hasOwn(value, name)) yield [`${showPlain(name)}:`, (value as Record<string, unknown>)[name]];
    }
  }
}
