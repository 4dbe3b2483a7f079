/** Writes to handles of `createBodies`: which fields are read, what there is no memory for, and when arrays are reused. */

import { describe, expect, test, vi } from 'vitest';
import type { BodyData, Bodies, ResidentBodies, Tester } from '../../src/api/types.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { withMemoryOf } from '../helpers/memory.ts';

const COUNT = 1000;
const pair = Uint32Array.of(0, 1);

async function distanceOf(tester: Tester, handle: ResidentBodies): Promise<number> {
  return (await tester.distances(handle, pair)).distance[0];
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes, identity } = dimension;
  const rotation = axes === 3 ? 'quaternions' : 'angles';

  /** Bodies in a row, so far apart from each other. */
  function row(distance: number): Bodies {
    const positions = new Float32Array(axes * COUNT);
    for (let i = 0; i < COUNT; i++) positions[axes * i] = distance * i;
    return dimension.makeBodies({ shapes: new Uint32Array(COUNT), positions });
  }

  async function openHandle(bodies: Bodies): Promise<{ tester: Tester; handle: ResidentBodies }> {
    const tester = await dimension.createTester({ backend: 'cpu', threads: 1 });
    dimension.useShapes(tester, [dimension.box(0.5)]);
    return { tester, handle: tester.createBodies(bodies) };
  }

  /** Rotations of all bodies by an eighth of a turn, in 3-D about z. */
  function turned(): Float32Array {
    const eighth = axes === 3 ? [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] : [Math.PI / 4];
    return Float32Array.from({ length: identity.length * COUNT }, (_, i) => eighth[i % identity.length]);
  }

  test('fields of what is written may be inherited or getters', async () => {
    const { tester, handle } = await openHandle(row(2));
    const { positions } = row(3);
    class World {
      get positions() {
        return positions!;
      }
      get clock() {
        return 0;
      }
    }
    handle.write(new World());
    expect(await distanceOf(tester, handle)).toBeCloseTo(2, 6);
    handle.write(Object.create({ [rotation]: turned() }) as BodyData);
    expect(await distanceOf(tester, handle)).toBeCloseTo(3 - Math.SQRT2, 6);
    tester.dispose();
  });

  test('a getter is read once for the numbers that are checked and those that are kept', async () => {
    const { tester, handle } = await openHandle(row(2));
    const good = new Float32Array(axes * COUNT);
    const linearVelocities = vi
      .fn()
      .mockReturnValueOnce(good)
      .mockReturnValue(good.map(() => NaN));
    handle.write({
      get linearVelocities() {
        return linearVelocities() as Float32Array;
      },
    });
    expect(await tester.impacts(handle, pair, { duration: 1 })).toMatchObject({ count: 1, hits: 0 });
    tester.dispose();
  });

  test('unknown names are refused, and those of the other dimension', async () => {
    const { tester, handle } = await openHandle(row(2));
    for (const value of [undefined, new Float32Array(0)])
      expect(() => handle.write({ position: value } as BodyData)).toThrow(
        /^bodies\.position is unknown; did you mean 'positions'\?$/,
      );
    const message = axes === 3 ? /^bodies\.angles is unknown/ : /^bodies\.quaternions is .* expected nothing/;
    const other = axes === 3 ? 'angles' : 'quaternions';
    expect(() => handle.write({ [other]: new Float32Array(COUNT) } as BodyData)).toThrow(message);
    expect(() => handle.write({ positions: null } as never)).toThrow(/^bodies\.positions is null/);
    expect(await distanceOf(tester, handle)).toBeCloseTo(1, 6);
    tester.dispose();
  });

  test('arrays that there is no memory for are not written, nor are the others', async () => {
    const { tester, handle } = await openHandle(row(2));
    const { positions } = row(3);
    const data = { positions, [rotation]: turned() } as BodyData;
    // There is room for the smaller one of both.
    const sizes = [positions!.byteLength, data[rotation as 'quaternions']!.byteLength];
    const least = Math.min(...sizes);
    expect(Math.max(...sizes)).toBeGreaterThan(least);
    // The query that waits keeps its arrays, so that the write needs others.
    const early = distanceOf(tester, handle);
    await expect(withMemoryOf(least, async () => handle.write(data))).rejects.toMatchObject({
      name: 'NarrowphaseError',
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(/^bodies\.\w+ needs \d+ bytes, expected no more than/),
    });
    expect(await early).toBeCloseTo(1, 6);
    expect(await distanceOf(tester, handle)).toBeCloseTo(1, 6);
    handle.write(data);
    expect(await distanceOf(tester, handle)).toBeCloseTo(3 - Math.SQRT2, 6);
    const bodies = row(2);
    await expect(withMemoryOf(least, async () => tester.createBodies(bodies))).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    });
    tester.dispose();
  });

  test('a write needs no memory once all queries have ended, those that were refused included', async () => {
    const { tester, handle } = await openHandle(row(2));
    await distanceOf(tester, handle);
    await expect(tester.findPairs(handle, { margin: -1 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(tester.distances(handle, Uint32Array.of(0, COUNT))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const { positions } = row(3);
    await withMemoryOf(100, async () => handle.write({ positions } as BodyData));
    expect(await distanceOf(tester, handle)).toBeCloseTo(2, 6);
    tester.dispose();
  });
});
