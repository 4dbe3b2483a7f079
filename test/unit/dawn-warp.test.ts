/** Dawn on Windows, where WARP is only found by its name. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { onFirstDriver, withDawn } from '../../src/node/dawn.ts';
import type { AdapterChoice } from '../../src/gpu/device.ts';

/** Options of each `create`, by the object that it gave. */
const created = new Map<GPU, string[]>();

vi.mock('webgpu', () => ({
  create: (options: string[]) => {
    const gpu = { requestAdapter: () => options } as unknown as GPU;
    created.set(gpu, options);
    return gpu;
  },
}));

const { platform } = process;
const setPlatform = (value: string): void => void Object.defineProperty(process, 'platform', { value });

beforeEach(() => setPlatform('win32'));
afterEach(() => setPlatform(platform));

/** The options of Dawn behind each adapter that is requested, if none can be used. */
async function triedOptions(choice: AdapterChoice): Promise<unknown[]> {
  const tried: unknown[] = [];
  const failure = new NarrowphaseError('WEBGPU_UNAVAILABLE', 'of a test');
  const asked = onFirstDriver(choice, (driver) =>
    withDawn(driver, (gpu) => {
      tried.push(gpu.requestAdapter());
      throw failure;
    }),
  );
  await expect(asked).rejects.toBe(failure);
  return tried;
}

test('Dawn on Windows tries WARP last, by its name', async () => {
  expect(await triedOptions('any')).toEqual([[], ['adapter=Microsoft']]);
});

test('Dawn on Windows does not try WARP where hardware is wanted', async () => {
  expect(await triedOptions('hardware')).toEqual([[]]);
});

test('Dawn on macOS has nothing to choose', async () => {
  setPlatform('darwin');
  expect(await triedOptions('any')).toEqual([[]]);
});
