import { afterEach, expect, test, vi } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { door } from '../../src/util/door.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a part that can’t be loaded is named, with its cause, and the next call tries again', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');
  let calls = 0;
  const load = door('the plans', async (name: string) => {
    calls++;
    if (calls === 1) throw cause;
    return `loaded ${name}`;
  });
  const failed = load('2-D');
  await expect(failed).rejects.toBeInstanceOf(NarrowphaseError);
  await expect(failed).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE', cause });
  await expect(failed).rejects.toThrow(
    'the part of the package for the plans could not be loaded: Failed to fetch dynamically imported module',
  );
  expect(await load('2-D')).toBe('loaded 2-D');
});

test('a split service worker is told that it can’t load parts, and not that WebGPU is unavailable', async () => {
  vi.stubGlobal('ServiceWorkerGlobalScope', vi.fn());
  const cause = new TypeError('import() is disallowed on ServiceWorkerGlobalScope');
  const failed = door('3-D', () => Promise.reject(cause))();
  await expect(failed).rejects.toMatchObject({
    name: 'NarrowphaseError',
    code: 'SHADER',
    cause,
    message:
      'the part of the package for 3-D could not be loaded: service workers do not allow import(); ' +
      'bundle the service worker without code splitting',
  });
});
