/**
 * `rayCasts` of many rays, whose bodies are found on the device, beside the same kernels of `impacts` over the pairs that
 * the CPU finds: the same bits.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildBoxTree } from '../../src/broad-phase/box-tree.ts';
import { createTester } from '../../src/node.ts';
import { NO_BODY, type Bodies, type RayCastOptions, type Rays, type Tester } from '../../src/api/types.ts';
import { broadPhaseScene, SCENE_NAMES, type SceneName } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { answersOf } from '../helpers/planar-tester.ts';

vi.mock('../../src/broad-phase/box-tree.ts', async (original) => {
  const real = await original<{ buildBoxTree: typeof buildBoxTree }>();
  return { ...real, buildBoxTree: vi.fn(real.buildBoxTree) };
});

const SEED = 20_261_128;
/** With the bodies, as many as a hardware adapter gets. */
const RAYS = 2 ** 14;
const BODIES = 500;

const { gpu, compiled } = recordKernels(HARDWARE.info);
/** The same adapter. Only the first says that it is hardware. */
let tester: Tester;
let other: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu', gpu });
  other = await createTester({ backend: 'webgpu' });
});
afterAll(() => {
  tester?.dispose();
  other?.dispose();
});

/** Rays through a cube that has the bodies of most scenes. */
function makeRays(axes: 2 | 3 = 3, seed = SEED): Rays & { origins: Float32Array; maxTimes: Float32Array } {
  const random = createRandom(seed);
  const directions = new Float32Array(axes * RAYS);
  for (let ray = 0; ray < RAYS; ray++) {
    const direction = unitVector(random, axes === 2 ? [0, 0] : [0, 0, 0]);
    // Some are along an axis, and some don't move.
    if (ray % 5 === 0) direction.fill(0, ray % axes);
    if (ray % 97 === 0) direction.fill(0);
    directions.set(
      direction.map((x) => x * uniform(random, 0.1, 10)),
      axes * ray,
    );
  }
  return {
    origins: Float32Array.from({ length: axes * RAYS }, () => uniform(random, -2, 12)),
    directions,
    radii: Float32Array.from({ length: RAYS }, (_, i) => (i % 2 ? uniform(random, 0, 0.4) : 0)),
    maxTimes: Float32Array.from({ length: RAYS }, (_, i) => (i % 3 ? Infinity : uniform(random, 0, 3))),
  };
}

async function expectSame(bodies: Bodies, rays: Rays, leastHits: number, options?: RayCastOptions): Promise<void> {
  compiled.delete('rays/find');
  const found = await tester.rayCasts(bodies, rays, options);
  const expected = await other.rayCasts(bodies, rays, options);
  expect(found.body.filter((body) => body !== NO_BODY).length).toBeGreaterThanOrEqual(leastHits);
  expect(answersOf(found), `seed ${SEED}`).toEqual(answersOf(expected));
}

function moved(array: ArrayLike<number>): Float64Array {
  return Float64Array.from(array, (x, i) => x + [1e8, -1e8, 2e8][i % 3]);
}

function sceneOf(name: SceneName): { bodies: Bodies } {
  const { shapes, bodies } = broadPhaseScene(name, BODIES, SEED);
  for (const each of [tester, other]) useShapes(each, shapes);
  return { bodies };
}

test('rays that the device took count for no tree of a handle', async () => {
  const handle = tester.createBodies(sceneOf('similar').bodies);
  const { origins, directions } = makeRays();
  vi.mocked(buildBoxTree).mockClear();
  for (let call = 0; call < 2; call++) {
    await tester.rayCasts(handle, { origins, directions });
    await tester.rayCasts(handle, { origins: origins.subarray(0, 3), directions: directions.subarray(0, 3) });
  }
  expect(buildBoxTree).not.toHaveBeenCalled();
  handle.dispose();
});

describe('hits are those of the pairs that the CPU finds', () => {
  test.each(atNight<readonly SceneName[]>(['similar', 'halfspaces', 'far'], SCENE_NAMES))('%s', async (name) => {
    const { bodies } = sceneOf(name);
    const rays = makeRays();
    const from = name === 'far' ? [1e7, -1e7, 1e7] : [0, 0, 0];
    await expectSame(bodies, { ...rays, origins: rays.origins.map((x, i) => x + from[i % 3]) }, 20);
    expect(other.adapter.isSoftware).toBe(true);
  });

  test('with groups of bodies, of rays and of both', async () => {
    const { bodies } = sceneOf('halfspaces');
    const rays = makeRays();
    const groups = Uint32Array.from({ length: BODIES }, (_, i) => (i % 3 === 0 ? 0x0001_0002 : 0x0002_0003));
    const ofRays = Uint32Array.from({ length: RAYS }, (_, i) => (i % 2 === 0 ? 0x0001_0002 : 0x0003_0001));
    await expectSame({ ...bodies, groups }, rays, 100);
    await expectSame(bodies, { ...rays, groups: ofRays }, 100);
    await expectSame({ ...bodies, groups }, { ...rays, groups: ofRays }, 100);
  });

  test('at 64-bit positions far from the origin', async () => {
    const { bodies } = sceneOf('similar');
    const rays = makeRays();
    await expectSame(
      { ...bodies, positions: moved(bodies.positions!) } as Bodies,
      { ...rays, origins: moved(rays.origins) },
      1000,
    );
  });

  test('that are more than one part of the pairs holds', async () => {
    const { bodies } = sceneOf('place');
    const rays = makeRays();
    // All bodies are in one place, and these rays meet all of them: 1.1 or 1.5 million pairs.
    const AIMED = atNight(2200, 3000);
    rays.maxTimes.fill(0).fill(Infinity, 0, AIMED);
    for (let at = 0; at < 3 * AIMED; at++) rays.directions[at] = [3, -2, 1][at % 3] - rays.origins[at];
    await expectSame(bodies, rays, 0.99 * AIMED);
  });

  test.each(atNight<('cast' | 'velocity-epa')[]>([], ['cast', 'velocity-epa']))(
    'by the algorithm %s',
    async (algorithm) => {
      const { bodies } = sceneOf('similar');
      await expectSame(bodies, makeRays(), 1000, { algorithm });
    },
  );

  if (atNight(false, true)) {
    test('in the plane', async () => {
      const [planar, otherPlanar] = await Promise.all([
        createTester({ backend: 'webgpu', gpu: recordKernels(HARDWARE.info).gpu, dimension: 2 }),
        createTester({ backend: 'webgpu', dimension: 2 }),
      ]);
      try {
        const random = createRandom(SEED);
        const bodies = {
          shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % 3),
          positions: Float32Array.from({ length: 2 * BODIES }, () => uniform(random, 0, 40)),
          angles: Float32Array.from({ length: BODIES }, () => uniform(random, -3, 3)),
        };
        for (const each of [planar, otherPlanar]) {
          each.addShape({ type: 'circle', radius: 0.4 });
          each.addShape({ type: 'rectangle', halfExtents: [0.5, 0.2] });
          each.addShape({ type: 'polygon', points: [0.5, 0, 0, 0.4, -0.3, -0.3], radius: 0.05 });
        }
        const rays = makeRays(2);
        const [found, expected] = [await planar.rayCasts(bodies, rays), await otherPlanar.rayCasts(bodies, rays)];
        expect(found.statusCounts[1]).toBeGreaterThan(1000);
        expect(answersOf(found)).toEqual(answersOf(expected));
      } finally {
        planar.dispose();
        otherPlanar.dispose();
      }
    });
  }

  test('the device has found them', () => {
    expect(compiled).toContain('tree/inner');
  });
});

test('rays that meet nothing, and all of one body', async () => {
  const { bodies } = sceneOf('similar');
  const rays = makeRays();
  const away = { ...rays, origins: rays.origins.map((x) => x + 1e6), directions: new Float32Array(3 * RAYS).fill(1) };
  const none = await tester.rayCasts(bodies, away);
  expect(none.statusCounts).toEqual([RAYS, 0, 0, 0, 0]);
  expect(none.time.every((time) => time === Infinity)).toBe(true);
  const one = { ...bodies, shapes: bodies.shapes.subarray(0, 1), positions: new Float32Array(3) } as Bodies;
  await expectSame({ ...one, quaternions: Float32Array.of(0, 0, 0, 1), scales: undefined } as Bodies, rays, 10);
});

test('give up with ABORTED, and the next call finds the hits', async () => {
  const { bodies } = sceneOf('similar');
  const controller = new AbortController();
  const aborted = tester.rayCasts(bodies, makeRays(), { signal: controller.signal });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  await expectSame(bodies, makeRays(), 1000);
});
