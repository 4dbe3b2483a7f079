/** Errors of model files. Each is one line that names the node, the mesh or the line of the file, and the reason. */

import { NarrowphaseError } from '../../../src/api/errors.ts';

/** Throws `INVALID_INPUT`. */
export function refuse(message: string): never {
  throw new NarrowphaseError('INVALID_INPUT', message);
}

/** Throws `LIMIT_EXCEEDED`. */
export function refuseAsTooLarge(message: string): never {
  throw new NarrowphaseError('LIMIT_EXCEEDED', message);
}

/** Returns what `make` returns. An error that it throws gets `label` in front of its message, if it is not there yet. */
export function within<Value>(label: string, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof NarrowphaseError) || error.message.startsWith(`${label}: `)) throw error;
    throw new NarrowphaseError(error.code, `${label}: ${error.message}`, { cause: error });
  }
}

/** Most characters of a name in a message. */
const LONGEST = 80;

/** `node wheel`, or `node 7` for a node without a name. */
export function labelOf(noun: string, name: unknown, index: number): string {
  if (typeof name !== 'string' || name === '') return `${noun} ${index}`;
  return `${noun} ${name.length > LONGEST ? `${name.slice(0, LONGEST - 3)}...` : name}`;
}
