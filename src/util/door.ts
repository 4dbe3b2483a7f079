/**
 * Doors: parts of the package that are loaded when they are first needed, by dynamic imports, so that a page loads what
 * it uses.
 */
import { NarrowphaseError } from '../api/errors.ts';

/**
 * A function that loads a part of the package. If the part can't be loaded, the function rejects with
 * `WEBGPU_UNAVAILABLE`, which names the part and has the error as its `cause`; the next call tries again.
 */
export function door<Arguments extends unknown[], Part>(
  name: string,
  load: (...given: Arguments) => Promise<Part>,
): (...given: Arguments) => Promise<Part> {
  return async (...given) => {
    try {
      return await load(...given);
    } catch (cause) {
      const message = `the part of the package for ${name} could not be loaded: ${(cause as Error).message}`;
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', message, { cause });
    }
  };
}
