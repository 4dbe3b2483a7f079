/** Impacts with chains and with platforms of tiles in 2-D: never a side normal between two tiles, and nothing falls through. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type PlanarTester } from '../../src/index.ts';
import type { PlanarConvexDescription, PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { atNight } from '../helpers/night.ts';

const TILES = 100;
const WIDTH = 0.1;
const HALF = (TILES * WIDTH) / 2;
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;

/** From the left to the right, with the top at y = 0. */
const PLATFORMS: [name: string, shape: PlanarShapeDescription][] = [
  [
    '100 tiles',
    {
      type: 'compound',
      parts: Array.from({ length: TILES }, (_, i) => ({
        shape: { type: 'rectangle', halfExtents: [WIDTH / 2, 0.25] },
        position: [(i + 0.5) * WIDTH - HALF, -0.25],
      })),
    },
  ],
  [
    '100 tiles, turned by quarters',
    {
      type: 'compound',
      parts: Array.from({ length: TILES }, (_, i) => ({
        shape: { type: 'rectangle', halfExtents: [WIDTH / 2, WIDTH / 2] },
        position: [(i + 0.5) * WIDTH - HALF, -WIDTH / 2],
        angle: ((i % 4) * Math.PI) / 2,
      })),
    },
  ],
  [
    'a chain',
    { type: 'chain', points: Array.from({ length: 2 * TILES + 2 }, (_, i) => (i % 2 ? 0 : (i / 2) * WIDTH - HALF)) },
  ],
  [
    'a chain with its front up',
    {
      type: 'chain',
      points: Array.from({ length: 2 * TILES + 2 }, (_, i) => (i % 2 ? 0 : HALF - (i / 2) * WIDTH)),
      sides: 'front',
    },
  ],
];

const BODIES: [shape: PlanarConvexDescription, height: number][] = [
  [{ type: 'circle', radius: 0.3 }, 0.3],
  [{ type: 'rectangle', halfExtents: [0.17, 0.2] }, 0.2],
  [{ type: 'rectangle', halfExtents: [0.17, 0.2], radius: 0.02 }, 0.22],
  [{ type: 'capsule', halfHeight: 0.2, radius: 0.1 }, 0.3],
  [{ type: 'polygon', points: [-0.2, -0.3, 0.2, -0.3, 0.4, 0, 0, 0.3] }, 0.3],
];

const SPEEDS = atNight([0.01, 1, 10, 100], [0.01, 0.1, 1, 3, 10, 30, 100]);
const STARTS = atNight([-1.234], [-3.97, -1.234, 0.05]);

/** All bodies at all starts with all speeds: over the platform by a gap, with `fall` times the speed down, and turning. */
function scene(gap: number, fall: number, spin = 0) {
  const movers = BODIES.flatMap(([, height], i) =>
    STARTS.flatMap((x) =>
      SPEEDS.flatMap((speed) => [1, -1].map((sign) => ({ id: i + 1, x, y: height + gap, v: sign * speed }))),
    ),
  );
  const bodies = {
    shapes: Uint32Array.of(0, ...movers.map(({ id }) => id)),
    positions: Float64Array.of(0, 0, ...movers.flatMap(({ x, y }) => [x, y])),
    angles: new Float32Array(movers.length + 1),
    linearVelocities: Float32Array.of(0, 0, ...movers.flatMap(({ v }) => [v, -fall * Math.abs(v)])),
    angularVelocities: Float32Array.of(0, ...movers.map(() => spin)),
  };
  const pairs = Uint32Array.from({ length: 2 * movers.length }, (_, i) => (i % 2 ? 1 + (i >> 1) : 0));
  return { movers, bodies, pairs };
}

describe.each(PLATFORMS)('%s', (_, platform) => {
  let tester: PlanarTester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
    tester.addShape(platform);
    for (const [shape] of BODIES) tester.addShape(shape);
  });
  afterAll(() => tester.dispose());

  test.each(ALGORITHMS)('%s: a body that slides over it at a gap does not meet it', async (algorithm) => {
    for (const gap of [1e-5, 1e-3]) {
      const { bodies, pairs, movers } = scene(gap, 0);
      const found = await tester.impacts(bodies, pairs, { duration: 1, algorithm });
      movers.forEach((mover, i) => expect(found.time[i], `${gap} ${JSON.stringify(mover)}`).toBe(Infinity));
    }
  });

  test.each(ALGORITHMS)('%s: a body that slides on it, sunk in a little, has no side normal', async (algorithm) => {
    for (const gap of [0, -1e-6, -1e-4, -0.01]) {
      const { bodies, pairs, movers } = scene(gap, 0);
      for (const stopAtPenetration of [true, false]) {
        const found = await tester.impacts(bodies, pairs, { duration: 1, algorithm, stopAtPenetration });
        movers.forEach((mover, i) => {
          const what = `${gap} ${stopAtPenetration} ${JSON.stringify(mover)}`;
          if (found.time[i] === Infinity) return;
          expect(found.normal[2 * i + 1], what).toBeGreaterThan(0.999);
          expect(stopAtPenetration, what).toBe(true);
        });
        if (stopAtPenetration && gap < -1e-5) expect(found.time.every((time) => time === 0)).toBe(true);
      }
    }
  });

  test.each(ALGORITHMS)('%s: a body that falls onto it meets its top in time', async (algorithm) => {
    for (const gap of [1e-3, 0.2])
      for (const fall of [0.1, 1, 10]) {
        const { bodies, pairs, movers } = scene(gap, fall);
        const duration = 200;
        const found = await tester.impacts(bodies, pairs, { duration, algorithm });
        movers.forEach(({ x, v, ...mover }, i) => {
          const time = gap / (fall * Math.abs(v));
          if (Math.abs(x + v * time) > HALF - 0.5) return;
          const what = `${gap} ${fall} ${JSON.stringify({ x, v, ...mover })}`;
          expect(found.time[i] / time, what).toBeCloseTo(1, 2);
          expect(found.normal[2 * i + 1], what).toBeGreaterThan(0.999);
        });
      }
  });

  test.each(ALGORITHMS)('%s: a body that rotates and falls onto it meets its top', async (algorithm) => {
    for (const spin of [0.7, -3]) {
      const { bodies, pairs, movers } = scene(0.2, 1, spin);
      const found = await tester.impacts(bodies, pairs, { duration: 1.5, algorithm });
      movers.forEach(({ x, v, ...mover }, i) => {
        const what = `${spin} ${JSON.stringify({ x, v, ...mover })}`;
        if (Math.abs(x + v * Math.min(0.2 / Math.abs(v), 1.5)) > HALF - 0.6) return;
        if (Math.abs(v) >= 1) expect(found.time[i], what).toBeLessThan(Infinity);
        if (found.time[i] < Infinity) expect(found.normal[2 * i + 1], what).toBeGreaterThan(0.999);
      });
    }
  });

  test('each tile by itself: lists of parts have no side normal either', async () => {
    for (const [gap, fall] of [
      [1e-3, 0],
      [-1e-4, 0],
      [0.01, 1],
    ] as const) {
      const { bodies, pairs } = scene(gap, fall);
      const found = await tester.impacts(bodies, pairs, { duration: 0.1, parts: 'all' });
      for (let i = 0; i < found.count; i++) expect(found.normal[2 * i + 1], `${gap} slot ${i}`).toBeGreaterThan(0.999);
    }
  });

  test('a ball that rolls meets nothing', async () => {
    const { bodies, pairs, movers } = scene(1e-4, 0, 5);
    const found = await tester.impacts(bodies, pairs, { duration: 0.5 });
    movers.forEach(({ id }, i) => id === 1 && expect(found.time[i]).toBe(Infinity));
  });
});

test('a step and the end of the platform keep their own normals', async () => {
  const tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
  const tiles = Array.from({ length: 20 }, (_, i) => ({
    shape: { type: 'rectangle', halfExtents: [0.25, 0.25] } as const,
    position: [0.5 * i - 4.75, i < 10 ? -0.25 : -0.15],
  }));
  const points = [-5, 0, 0, 0, 0, 0.1, 5, 0.1];
  const box = { type: 'rectangle', halfExtents: [0.2, 0.2] } as const;
  for (const shape of [
    { type: 'compound', parts: tiles },
    { type: 'chain', points },
  ] as PlanarShapeDescription[]) {
    const [ground, crate] = [tester.addShape(shape), tester.addShape(box)];
    const bodies = {
      shapes: Uint32Array.of(ground, crate, crate),
      positions: Float32Array.of(0, 0, -1, 0.2001, 6, 0.05),
      angles: new Float32Array(3),
      linearVelocities: Float32Array.of(0, 0, 1, 0, -1, 0),
    };
    for (const algorithm of ALGORITHMS) {
      const found = await tester.impacts(bodies, Uint32Array.of(0, 1, 0, 2), { duration: 5, algorithm });
      expect(found.time[0]).toBeCloseTo(0.8, 4);
      expect(found.time[1]).toBeCloseTo(0.8, 4);
      expect(found.normal[0]).toBeCloseTo(-1, 4);
      expect(found.normal[2]).toBeCloseTo(1, 4);
    }
  }
  tester.dispose();
});
