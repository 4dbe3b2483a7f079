/** Contacts of convex bodies deep in meshes of few and thin triangles, of which the surface has few normals. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import { createRandom, uniform, type Random } from '../../verification/families/random.ts';

const SEED = 23;
const SCENES = 60;
const BODIES = 8;

/** Strips of 1 to 5 triangles: of any shape, flat, or squeezed to needles. */
function makeStrip(random: Random) {
  const corners = 3 + Math.floor(uniform(random, 0, 5));
  const squeeze = [1, 1, 10 ** Math.round(uniform(random, -6, -1))];
  if (random() < 0.3) squeeze[1] = 0;
  const positions = Array.from({ length: 3 * corners }, (_, i) => Math.fround(squeeze[i % 3] * uniform(random, -2, 2)));
  const indices = Array.from({ length: 3 * (corners - 2) }, (_, i) => Math.floor(i / 3) + (i % 3));
  return { type: 'mesh', positions, indices } as const;
}

function makeConvex(random: Random) {
  const size = uniform(random, 0.2, 1.5);
  if (random() < 0.5) return { type: 'sphere', radius: size } as const;
  return { type: 'box', halfExtents: [size, uniform(random, 0.1, 1) * size, size], radius: 0.1 * size } as const;
}

test('an overlap has a contact in every query, and contacts have the deepest of those listed', async () => {
  using tester = await createTester({ backend: 'cpu', threads: 1 });
  const random = createRandom(SEED);
  let overlaps = 0;
  for (let scene = 0; scene < SCENES; scene++) {
    const shapes = Array.from({ length: BODIES }, (_, i) =>
      tester.addShape(i % 2 === 0 ? makeStrip(random) : makeConvex(random)),
    );
    const bodies = {
      shapes: Uint32Array.from(shapes),
      positions: Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -0.5, 0.5)),
      quaternions: Float32Array.from({ length: 4 * BODIES }, () => uniform(random, -1, 1)),
    };
    const couples: number[] = [];
    for (let mesh = 0; mesh < BODIES; mesh += 2) {
      for (let convex = 1; convex < BODIES; convex += 2)
        couples.push(...(random() < 0.5 ? [mesh, convex] : [convex, mesh]));
    }
    const pairs = Uint32Array.from(couples);
    const { hit } = await tester.intersects(bodies, pairs);
    const margin = [0, 0.1, 0.5][scene % 3];
    const contacts = await tester.contacts(bodies, pairs, { margin });
    const listed = await tester.contacts(bodies, pairs, { margin, parts: 'all' });
    const manifolds = await tester.manifolds(bodies, pairs, { margin });
    for (let pair = 0; pair < pairs.length / 2; pair++) {
      if (!hit[pair]) continue;
      overlaps++;
      const where = `scene ${scene} of seed ${SEED}, pair ${pair}`;
      const places = Array.from(listed.pair.subarray(0, listed.count), (p, i) => (p === pair ? i : -1)).filter(
        (i) => i >= 0,
      );
      expect(contacts.status[pair], where).toBe(1);
      expect(places.length, where).toBeGreaterThan(0);
      expect(manifolds.pair.subarray(0, manifolds.count), where).toContain(pair);
      const deepest = Math.min(...places.map((i) => listed.distance[i]));
      expect(deepest, where).toBeCloseTo(contacts.distance[pair], 5);
    }
    for (const id of shapes) tester.removeShape(id);
  }
  expect(overlaps).toBeGreaterThan(100);
});
