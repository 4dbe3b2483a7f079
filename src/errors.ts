/** What went wrong, for a caller's `switch`. */
export type ErrorCode =
  | 'WEBGPU_UNAVAILABLE'
  | 'LIMIT_EXCEEDED'
  | 'OUT_OF_MEMORY'
  | 'DEVICE_LOST'
  | 'INVALID_INPUT'
  | 'DISPOSED'
  | 'ABORTED'
  | 'SHADER';

/** Every error this package throws on purpose. `message` names the argument, its value and what was expected. */
export class NarrowphaseError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NarrowphaseError';
    this.code = code;
  }
}

/** Throws `INVALID_INPUT`: `field` had `value`, where `expected` was wanted. */
export function invalidInput(field: string, value: unknown, expected: string): never {
  throw new NarrowphaseError('INVALID_INPUT', `${field} is ${show(value)}, expected ${expected}`);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${(value as Float32Array).length ?? value.byteLength} elements`;
  if (typeof value === 'object' && value !== null) {
    // JSON has no NaN and no infinity, which are what is wrong as often as not.
    const isNumbers = Array.isArray(value) && value.every((item) => typeof item === 'number');
    const text = isNumbers ? `[${value.join(',')}]` : safeJson(value);
    return text.length > 80 ? `${text.slice(0, 77)}...` : text;
  }
  return String(value);
}

function safeJson(value: object): string {
  try {
    return JSON.stringify(value) ?? 'an object';
  } catch {
    return 'an object';
  }
}
