/**
 * The arrays of `batch.read`: those that `fields` names have the bits of the full read, and nothing else is written on
 * the device or copied.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Batch } from '../../src/api/batch.ts';
import type { PairItem, PairResults, Tester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { openDefaultDevice, withLimits, withoutErrors } from '../helpers/gpu.ts';

const BODIES = 80;
// Not a multiple of the slots that an invocation writes.
const PAIRS = 501;
const USED = 398;
const random = createRandom(20_261_203);
const pairs = Uint32Array.from({ length: 2 * USED }, () => Math.floor(uniform(random, 0, BODIES)));

type AnyResult = PairResults<PairItem> & Record<string, unknown>;
type Read = (options?: object) => Promise<AnyResult>;

const QUERIES = {
  intersects: 'pair status a b hit'.split(' '),
  distances: 'pair status a b distance normal pointA pointB'.split(' '),
  contacts: 'pair status a b distance normal pointA pointB featureA featureB iterations lower upper'.split(' '),
  manifolds: 'pair status a b normal contactDistance pointCount position distance feature'.split(' '),
  impacts: 'pair status a b time unclampedTime normal point iterations'.split(' '),
};
type QueryName = keyof typeof QUERIES;

const CASES = Object.keys(QUERIES).flatMap((query) =>
  (query === 'impacts' ? ['all', 'hits', 'earliest'] : ['all', 'hits']).map(
    (results) => [query as QueryName, results as 'all' | 'hits' | 'earliest'] as const,
  ),
);

/** The arrays of a result as bytes. */
function bytesOf(result: AnyResult): Record<string, string> {
  const arrays = Object.entries(result).filter(([, value]) => ArrayBuffer.isView(value)) as [string, Uint8Array][];
  return Object.fromEntries(
    arrays.map(([name, { buffer, byteOffset, byteLength }]) => [
      name,
      Buffer.from(buffer, byteOffset, byteLength).toString('hex'),
    ]),
  );
}

/** A target like this result, with every byte marked, and each array longer than needed. */
function targetLike(result: AnyResult): AnyResult {
  const target = { ...result };
  for (const [name, array] of Object.entries(result)) {
    if (!ArrayBuffer.isView(array)) continue;
    const longer = new (array.constructor as Uint8ArrayConstructor)((array as Uint8Array).length + 3);
    new Uint8Array(longer.buffer).fill(0xa5);
    target[name] = longer;
  }
  return target;
}

function readerOf(batch: Batch<never>): Read {
  return (options) => batch.read(options as never) as Promise<AnyResult>;
}

function numbers(length: number, range: number): Float32Array {
  return Float32Array.from({ length }, () => uniform(random, -range, range));
}

afterEach(() => vi.restoreAllMocks());

describe.each(dimensions)('$name', ({ axes, box, ball, identity, makeBodies, createTester, useShapes }) => {
  let device: GPUDevice;
  let tester: Tester;
  const angularAxes = axes === 3 ? 3 : 1;
  const bodies = {
    ...makeBodies.call(
      { identity },
      {
        shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % 2),
        // Among them coordinates of both zeros.
        positions: numbers(axes * BODIES, 1.6).map((x, i) => (i % 7 === 0 ? -0 : i % 11 === 0 ? 0 : x)),
      },
    ),
    linearVelocities: numbers(axes * BODIES, 1),
    angularVelocities: numbers(angularAxes * BODIES, 1),
  };
  const posed = { ...bodies, linearVelocities: undefined, angularVelocities: undefined };

  const openBatch = async (
    query: QueryName,
    results: 'all' | 'hits' | 'earliest',
    by = tester,
  ): Promise<Batch<never>> => {
    const isMotion = query === 'impacts';
    const motion = isMotion ? { duration: 1, turning: true } : {};
    const options = { query, results, maxBodies: BODIES, maxPairs: PAIRS, ...motion };
    const batch = (await by.createBatch(options as never)) as unknown as Batch<never>;
    batch.write({ bodies: isMotion ? bodies : posed, pairs });
    submit(batch);
    return batch;
  };
  beforeAll(async () => {
    device = await openDefaultDevice('batch-fields.device');
    tester = await createTester({ device });
    useShapes(tester, [ball(0.5), box(0.4)]);
  });
  afterAll(() => {
    tester?.dispose();
    device?.destroy();
  });

  test.each(CASES)('%s, results %s: each array alone, several, and into a target', async (query, results) => {
    await withoutErrors(device, async () => {
      const names = QUERIES[query];
      const batch = await openBatch(query, results);
      const read = readerOf(batch);
      const full = await read({ fields: names });
      expect(full.count).toBeGreaterThan(20);
      const expected = bytesOf(full);
      expect(Object.keys(expected).filter((name) => name !== 'first')).toEqual(names);
      const lists = [[], ...names.map((name) => [name]), names.filter((_, i) => i % 2), names.filter((_, i) => i % 3)];
      for (const fields of lists) {
        const wanted = Object.fromEntries(
          Object.entries(expected).filter(([name]) => name === 'first' || fields.includes(name)),
        );
        const found = await read({ fields });
        expect([found.count, found.statusCounts, found.hits], `${fields}`).toEqual([
          full.count,
          full.statusCounts,
          full.hits,
        ]);
        expect(bytesOf(found), `${fields}`).toEqual(wanted);
        const target = targetLike(found);
        const again = await read({ fields, target });
        for (const name of fields) {
          expect(again[name]).toBe(target[name]);
          const bytes = bytesOf(again)[name];
          expect(bytes.startsWith(wanted[name]), name).toBe(true);
          // Nothing is written behind the last slot.
          expect(bytes.slice(wanted[name].length), name).toMatch(/^(a5)+$/);
        }
      }
      batch.dispose();
    });
  });

  test.each(CASES)('%s, results %s: all that the query of a tester gives', async (query, results) => {
    const batch = await openBatch(query, results);
    const motion = query === 'impacts' ? { duration: 1 } : {};
    const options = { ...motion, results, fields: QUERIES[query] };
    const given = query === 'impacts' ? bodies : posed;
    const expected = (await tester[query](given as never, pairs, options as never)) as unknown as AnyResult;
    const found = await readerOf(batch)({ fields: QUERIES[query] });
    // Points of `impacts` are placed in f32 by a batch, and in double precision by a query. Zeros have no sign here.
    const comparable = (result: AnyResult): object =>
      Object.fromEntries(
        Object.entries(result)
          .filter(([name, value]) => ArrayBuffer.isView(value) && !(query === 'impacts' && name === 'point'))
          .map(([name, value]) => [name, Array.from(value as Float32Array, (x) => (x === 0 ? 0 : x))]),
      );
    expect(comparable(found)).toEqual(comparable(expected));
    batch.dispose();
  });

  test('what `fields` leaves out takes no room on the device, nor in what is mapped', async () => {
    const spy = vi.spyOn(device, 'createBuffer');
    const batch = await openBatch('contacts', 'all');
    spy.mockClear();
    const roomFor = async (fields: readonly string[]): Promise<Record<string, number>> => {
      await Promise.all([1, 2, 3, 4].map(() => readerOf(batch)({ fields })));
      const made = spy.mock.calls.map(([{ label, size }]) => [label!.replace(/^.*slot\./, ''), size] as const);
      return Object.fromEntries(made.filter(([name]) => /^(arrays|staging)/.test(name)));
    };
    const room = 4 * Math.ceil(PAIRS / 4);
    expect(await roomFor(['pair'])).toEqual({});
    expect(await roomFor(['status'])).toEqual({ 'arrays.0': room, 'staging.0': room });
    expect(await roomFor(['status', 'distance'])).toEqual({ 'arrays.0': 5 * room, 'staging.0': 2048 });
    batch.dispose();
  });

  test('arrays that exceed the limit of a binding are in several buffers', async () => {
    const batch = await openBatch('manifolds', 'hits');
    const expected = bytesOf(await readerOf(batch)({ fields: QUERIES.manifolds }));
    batch.dispose();
    // As much as the records need.
    const recordBytes = axes === 3 ? 112 : 48;
    const maxStorageBufferBindingSize = recordBytes * PAIRS;
    const limits = withLimits(device.limits, { maxStorageBufferBindingSize });
    const limited = new Proxy(device, {
      get(target, name) {
        const value = name === 'limits' ? limits : (Reflect.get(target, name, target) as unknown);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const spy = vi.spyOn(device, 'createBuffer');
    const other = await createTester({ device: limited });
    useShapes(other, [ball(0.5), box(0.4)]);
    const small = await openBatch('manifolds', 'hits', other);
    expect(bytesOf(await readerOf(small)({ fields: QUERIES.manifolds }))).toEqual(expected);
    const arrays = spy.mock.calls.filter(([{ label }]) => label!.includes('slot.arrays.')).map(([{ size }]) => size);
    expect(arrays.length > 1).toBe(axes === 2);
    expect(Math.max(...arrays)).toBeLessThanOrEqual(maxStorageBufferBindingSize);
    other.dispose();
  });

  test('a target is untouched by a read that is refused or aborted', async () => {
    const batch = await openBatch('contacts', 'hits');
    const read = readerOf(batch);
    const fields = ['pair', 'distance', 'normal'];
    const target = targetLike(await read({ fields }));
    const before = bytesOf(target);
    // The last array is too short.
    const short = { ...target, normal: (target.normal as Float32Array).subarray(0, 3) };
    await expect(read({ fields, target: short })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const controller = new AbortController();
    const aborted = read({ fields, target, signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(read({ fields: ['distances'], target })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const underWay = read({ fields, target });
    batch.dispose();
    await expect(underWay).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(bytesOf(target)).toEqual(before);
  });
});
