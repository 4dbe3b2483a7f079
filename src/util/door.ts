/**
 * Doors: parts of the package that dynamic imports load when they are first needed. A page loads only the parts it
 * uses.
 */
import { NarrowphaseError } from '../api/errors.ts';

/**
 * A function that loads a part of the package. If loading fails, the function rejects with `WEBGPU_UNAVAILABLE`: the
 * message names the part, and `cause` is the original error. The next call tries again. In a service worker, where no
 * call can load a part, the code is `SHADER`.
 */
export function door<Arguments extends unknown[], Part>(
  name: string,
  load: (...given: Arguments) => Promise<Part>,
): (...given: Arguments) => Promise<Part> {
  return async (...given) => {
    try {
      return await load(...given);
    } catch (cause) {
      const failure = `the part of the package for ${name} could not be loaded`;
      if ('ServiceWorkerGlobalScope' in globalThis) {
        const advice = 'service workers do not allow import(); bundle the service worker without code splitting';
        throw new NarrowphaseError('SHADER', `${failure}: ${advice}`, { cause });
      }
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `${failure}: ${(cause as Error).message}`, { cause });
    }
  };
}
