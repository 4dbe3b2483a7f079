/**
 * `rayCasts` with `results: 'all'` on the GPU: every body that each ray meets, as among no others, and first the default
 * answer, also where the device would find that.
 */
import { describe, expect, test } from 'vitest';
import { NO_BODY } from '../../src/api/types.ts';
import { convexScene, firstOfRays, hitsOfSingleBodies, mixedRays, SEED } from '../helpers/all-ray-hits.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { HARDWARE } from '../helpers/gpu.ts';

/** More than are cast on the CPU. */
const RAYS = 120;
/** With the bodies, as many as a hardware adapter gets. */
const MANY_RAYS = 2 ** 14;

describe.each(dimensions)('$name', (dimension) => {
  const { descriptions, bodies } = convexScene(dimension);

  test('rays meet the bodies that each meets among no others, with the same bits', async () => {
    using tester = await dimension.createTester({ backend: 'webgpu' });
    dimension.useShapes(tester, descriptions);
    const rays = mixedRays(dimension, RAYS);
    const found = await tester.rayCasts(bodies, rays, { results: 'all' });
    expect(found.count).toBeGreaterThan(RAYS);
    expect([...found], `seed ${SEED}`).toEqual(await hitsOfSingleBodies(tester, bodies, rays));
    const first = await tester.rayCasts(bodies, rays);
    expect(firstOfRays(found), `seed ${SEED}`).toEqual([...first].filter(({ body }) => body !== NO_BODY));
    expect(found.statusCounts).toEqual(first.statusCounts);
  });

  test('the first hits of many rays are those that the device finds', async () => {
    const { gpu, compiled } = recordKernels(HARDWARE.info);
    using tester = await dimension.createTester({ backend: 'webgpu', gpu });
    dimension.useShapes(tester, descriptions);
    const rays = mixedRays(dimension, MANY_RAYS);
    const all = await tester.rayCasts(bodies, rays, { results: 'all' });
    expect(compiled).not.toContain('rays/find');
    const first = await tester.rayCasts(bodies, rays);
    expect(compiled).toContain('rays/find');
    expect(all.count).toBeGreaterThan(MANY_RAYS);
    expect(firstOfRays(all), `seed ${SEED}`).toEqual([...first].filter(({ body }) => body !== NO_BODY));
    expect(all.statusCounts).toEqual(first.statusCounts);
  });
});
