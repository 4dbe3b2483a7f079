/** Motions in the plane that were once answered wrongly, or not at all, on both backends. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planar } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type ImpactOptions, type PlanarTester, type Vec2 } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';
import { usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_122;
/** Pairs of bodies that come from afar and turn. */
const OTHERS = atNight(60, 400);
const POINT: PlanarShapeDescription = { type: 'circle', radius: 0 };
const SEGMENT: PlanarShapeDescription = { type: 'segment', points: [-1, 0, 1, 0.2] };

interface Body {
  shape: PlanarShapeDescription;
  position: [number, number];
  angle?: number;
  velocity?: [number, number];
  spin?: number;
}

function regular(corners: number): PlanarShapeDescription {
  return {
    type: 'polygon',
    points: Array.from({ length: corners }, (_, i) => [
      Math.cos((2 * Math.PI * i) / corners),
      Math.sin((2 * Math.PI * i) / corners),
    ]).flat(),
  };
}

function taper(height: number): PlanarShapeDescription {
  return { type: 'polygon', points: [-1, 0, 1, 0, 0.2, height] };
}

/** In CI, bodies far from all others: with them, pairs of any kinds take the kernels that other tests compile too. */
const FAR = atNight<Body[]>(
  [
    { shape: { type: 'circle', radius: 1 }, position: [1000, 0] },
    { shape: { type: 'rectangle', halfExtents: [1, 1], radius: 0.1 }, position: [1000, 10] },
    { shape: { type: 'capsule', halfHeight: 1, radius: 1 }, position: [1000, 20] },
    { shape: regular(3), position: [1000, 30] },
  ],
  [],
);

/** Asks for all pairs of bodies at once. */
async function impactsOf(
  tester: PlanarTester,
  pairs: readonly (readonly [Body, Body])[],
  options: ImpactOptions<Vec2>,
) {
  const all = [...pairs.flat(), ...FAR];
  usePlanarShapes(
    tester,
    all.map(({ shape }) => shape),
  );
  const bodies = {
    shapes: Uint32Array.from(all.keys()),
    positions: Float32Array.from(all.flatMap(({ position }) => position)),
    angles: Float32Array.from(all, ({ angle = 0 }) => angle),
    linearVelocities: Float32Array.from(all.flatMap(({ velocity = [0, 0] }) => velocity)),
    ...(all.some(({ spin }) => spin) && { angularVelocities: Float32Array.from(all, ({ spin = 0 }) => spin) }),
  };
  return [...(await tester.impacts(bodies, Uint32Array.from(all.keys()), options))].slice(0, pairs.length);
}

/**
 * How far apart two bodies are at a time, of numbers as f32 has them; and how far their surfaces' bounds and places
 * reach.
 */
function gapAt([a, b]: readonly [Body, Body], time: number): { gap: number; size: number } {
  const shapes = [a, b].map(({ shape }) => planar.createShape(shape));
  const poses = [a, b].map(({ position, angle = 0, velocity = [0, 0], spin = 0 }) => ({
    position: position.map((x, k) => Math.fround(x) + time * Math.fround(velocity[k])),
    angle: Math.fround(angle) + time * Math.fround(spin),
  }));
  return {
    gap: planar.contact(shapes[0], poses[0], shapes[1], poses[1], { margin: Infinity }).distance,
    size: shapes[0].boundingRadius + shapes[1].boundingRadius,
  };
}

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  let tester: PlanarTester;

  beforeAll(async () => {
    tester = await createTester({ dimension: 2, backend });
  });

  afterAll(() => tester?.dispose());

  test.each(['auto', 'velocity-epa'] as const)(
    'a point comes through no polygon that is thinner than the tolerance, by %s',
    async (algorithm) => {
      const pairs = [1e-6, 2e-6, 3e-6, 5e-6, 1e-5, 1e-4].flatMap((height) =>
        [-0.95, -0.9, -0.5, 0.1, 0.4, 0.9, 0.99].flatMap((x) =>
          [-1, 1].map((from): [Body, Body] => [
            { shape: taper(height), position: [0, 0] },
            { shape: POINT, position: [x, from], velocity: [0, -2 * from] },
          ]),
        ),
      );
      const found = await impactsOf(tester, pairs, { duration: 1, algorithm });
      found.forEach(({ status, time, normal }, i) => {
        const [, { velocity }] = pairs[i];
        expect(status, `pair ${i}`).toBe(Status.Overlapping);
        expect(time, `pair ${i}`).toBeCloseTo(0.5, 4);
        expect(normal[1] * velocity![1], `pair ${i}: a normal that it moves along`).toBeLessThan(-1.9);
      });
    },
  );

  test('nor through one that turns', async () => {
    const random = createRandom(SEED);
    const pairs = Array.from({ length: 300 }, (_, i): [Body, Body] => {
      const angle = uniform(random, -3, 3);
      const [x, y] = [uniform(random, -0.9, 0.9), uniform(random, -0.01, 0.01)];
      const velocity: [number, number] = [Math.cos(angle), 2 * Math.sin(angle)];
      return [
        { shape: taper([1e-6, 2e-6, 5e-6, 1e-5][i % 4]), position: [0, 0], spin: 0.01 },
        { shape: POINT, position: [x - 0.4 * velocity[0], y - 0.4 * velocity[1]], velocity },
      ];
    });
    const found = await impactsOf(tester, pairs, { duration: 1 });
    let hits = 0;
    found.forEach(({ status, normal }, i) => {
      const [, { velocity }] = pairs[i];
      // Those that come in along it may miss it.
      if (Math.abs(velocity![1]) < 0.5) return;
      hits++;
      expect(status, `pair ${i} of seed ${SEED}`).toBe(Status.Overlapping);
      expect(normal[0] * velocity![0] + normal[1] * velocity![1], `pair ${i} of seed ${SEED}`).toBeLessThan(0);
    });
    expect(hits).toBeGreaterThan(150);
  });

  test('bodies that come from afar and turn touch when they are said to', async () => {
    const random = createRandom(SEED + 1);
    const fixed: [Body, Body][] = [
      [
        { shape: SEGMENT, position: [0, 0], angle: 2.5, spin: 0.01 },
        { shape: SEGMENT, position: [-200, 0], angle: 1.4285714, velocity: [400, 0] },
      ],
      [
        {
          shape: { type: 'rectangle', halfExtents: [1, 0.5] },
          position: [0, 0],
          angle: -2.370386798400432,
          velocity: [19.504771926871687, -33.1716260553486],
          spin: 0.001,
        },
        {
          shape: SEGMENT,
          position: [57.243563612818114, -97.42187696312358],
          angle: -2.5244838260114193,
          velocity: [-81.86855738975218, 139.2332697662705],
          spin: -0.00015150299575179816,
        },
      ],
    ];
    const shapes: PlanarShapeDescription[] = [SEGMENT, { type: 'rectangle', halfExtents: [1, 0.5] }];
    const others = Array.from({ length: OTHERS }, (_, i): [Body, Body] => {
      const [direction, distance] = [uniform(random, -3, 3), uniform(random, 50, 500)];
      const away = [Math.cos(direction), Math.sin(direction)];
      const aim = uniform(random, -0.5, 0.5);
      return [
        { shape: shapes[i % 2], position: [0, 0], angle: uniform(random, -3, 3), spin: uniform(random, -0.01, 0.01) },
        {
          shape: shapes[(i >> 1) % 2],
          position: [distance * away[0] - aim * away[1], distance * away[1] + aim * away[0]],
          angle: uniform(random, -3, 3),
          velocity: [-2 * distance * away[0], -2 * distance * away[1]],
          spin: uniform(random, -0.01, 0.01),
        },
      ];
    });
    const pairs = [...fixed, ...others];
    const found = await impactsOf(tester, pairs, { duration: 1 });
    let hits = 0;
    found.forEach(({ status, time }, i) => {
      expect([Status.Separated, Status.Overlapping], `pair ${i} of seed ${SEED + 1}`).toContain(status);
      if (status !== Status.Overlapping) return;
      hits++;
      const { gap, size } = gapAt(pairs[i], time);
      // The time itself is rounded to f32.
      const way = Math.hypot(...pairs[i][1].velocity!) + Math.hypot(...(pairs[i][0].velocity ?? [0, 0]));
      expect(Math.abs(gap), `pair ${i} of seed ${SEED + 1}`).toBeLessThanOrEqual(
        TOLERANCE.kernels * size + 2 ** -24 * way,
      );
    });
    expect(hits).toBeGreaterThan(0.7 * OTHERS);
  });

  test('wheels that turn closely over the ground, and next to each other, are answered', async () => {
    const ground: PlanarShapeDescription = { type: 'rectangle', halfExtents: [10, 1] };
    const over = (corners: number, spin: number, gap: number): [Body, Body] => [
      { shape: ground, position: [0, -1] },
      { shape: regular(corners), position: [0, 1 + gap], spin },
    ];
    const pairs: [Body, Body][] = [
      over(16, 8, 1e-6),
      ...atNight<[Body, Body][]>(
        [],
        [over(64, 2, 1e-4), over(16, 31, 1e-2), over(64, 8, 1e-3), over(64, 31, 1e-2), over(16, 16, 1e-3)],
      ),
      [
        { shape: ground, position: [0, -1] },
        { shape: { type: 'rectangle', halfExtents: [0.5, 0.5] }, position: [0, Math.SQRT1_2 + 1e-4], spin: 31 },
      ],
      ...atNight([1e-4], [1e-6, 1e-4, 1e-2]).map((gap): [Body, Body] => [
        { shape: regular(16), position: [0, 0], spin: 31 },
        { shape: regular(16), position: [2 + gap, 0], angle: 0.1, spin: 31 },
      ]),
    ];
    expect((await impactsOf(tester, pairs, { duration: 1 })).map(({ status }) => status)).toEqual(
      pairs.map(() => Status.Separated),
    );
  });

  test('what slides along a floor a millionth of its size below the top passes, whatever its size is', async () => {
    const pairs = [0.15, 0.2, 0.25, 0.29, 0.4, 0.5].map((half): [Body, Body] => {
      const size = Math.SQRT1_2 + half * Math.SQRT2;
      return [
        { shape: { type: 'rectangle', halfExtents: [0.5, 0.5] }, position: [2, -0.5] },
        {
          shape: { type: 'rectangle', halfExtents: [half, half] },
          position: [0, half - 1.7e-6 * size],
          velocity: [1, 0],
        },
      ];
    });
    expect((await impactsOf(tester, pairs, { duration: 4 })).map(({ status }) => status)).toEqual(
      pairs.map(() => Status.Separated),
    );
  });

  test('what turns a little and sinks a little is held up by the tile that it is on, before it comes to the next', async () => {
    const tile: PlanarShapeDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
    const movers: [PlanarShapeDescription, [number, number], [number, number]][] = [
      [{ type: 'segment', points: [0, 0, 0, 0.5] }, [0, 0], [1, -6e-6]],
      [{ type: 'polygon', points: [0, 0, 0.3, 0.5, -0.3, 0.5] }, [0, 0], [1, -7e-6]],
      [{ type: 'rectangle', halfExtents: [0.2, 0.2] }, [0, 0.2 - 1e-6], [1, -2e-6]],
    ];
    const pairs = movers.flatMap(([shape, position, velocity]) =>
      [0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-6, 1e-5].flatMap((spin): [Body, Body][] => {
        const mover: Body = { shape, position, velocity, spin };
        return [
          [{ shape: tile, position: [0, -0.5] }, mover],
          [{ shape: tile, position: [1, -0.5] }, mover],
        ];
      }),
    );
    const found = await impactsOf(tester, pairs, { duration: 1 });
    for (let i = 0; i < pairs.length; i += 2) {
      const { spin, shape } = pairs[i][1];
      const label = `${shape.type} with a spin of ${spin}`;
      expect(found[i].status, label).toBe(Status.Overlapping);
      expect(found[i].time, label).toBeLessThan(found[i + 1].time);
      expect(found[i].normal[1], label).toBeGreaterThan(0.9999);
    }
  });

  test("of bodies that overlap at rest the point lies on A's surface", async () => {
    const square: PlanarShapeDescription = { type: 'rectangle', halfExtents: [1, 1] };
    const ball: PlanarShapeDescription = { type: 'circle', radius: 1 };
    const found = await impactsOf(
      tester,
      [
        [
          { shape: square, position: [0, 0] },
          { shape: square, position: [1, 0] },
        ],
        [
          { shape: ball, position: [0, 0] },
          { shape: ball, position: [0, 0.5] },
        ],
      ],
      { duration: 1 },
    );
    found.forEach(({ unclampedTime, normal, point }, i) => {
      expect(unclampedTime).toBe(-Infinity);
      expect([normal[i], point[i]]).toEqual([expect.closeTo(1, 5), expect.closeTo(1, 5)]);
    });
  });

  test('a margin may be hundreds of times the bodies', async () => {
    const shape: PlanarShapeDescription = { type: 'circle', radius: 0.00133 };
    const a: Body = { shape, position: [-0.5606791, -0.4967629] };
    const found = await impactsOf(
      tester,
      [
        [a, { shape: POINT, position: [-0.5602143, -0.4966757], velocity: [-0.0019144, 0.0002962] }],
        [a, { shape: POINT, position: [0.4393209, -0.4967629], velocity: [-1, 0] }],
      ],
      { duration: 1, margin: 0.25 },
    );
    expect(found.map(({ status }) => status)).toEqual([Status.Overlapping, Status.Overlapping]);
    expect(found[0].unclampedTime).toBeLessThan(-100);
    expect(found[1].time).toBeCloseTo(0.74867, 5);
  });

  test('angles of any size turn bodies by what is left of whole turns', async () => {
    usePlanarShapes(tester, [POINT, { type: 'segment', points: [0, 0, 1, 0] }]);
    const angles = [0, ...[10, 1e4, 3e5, 1e10, 1e14, 1e18, 1e30, 3e38].flatMap((angle) => [angle, -angle])];
    const bodies = {
      shapes: Uint32Array.from(angles, (_, i) => Math.min(i, 1)),
      positions: Float32Array.from(angles.flatMap((_, i) => [i === 0 ? 0 : 2, 0])),
      angles: Float32Array.from(angles),
    };
    const { distance, status } = await tester.contacts(
      bodies,
      Uint32Array.from({ length: 2 * (angles.length - 1) }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2)),
      { margin: Infinity },
    );
    for (let i = 1; i < angles.length; i++) {
      const angle = Math.fround(angles[i]);
      const along = Math.min(Math.max(-2 * Math.cos(angle), 0), 1);
      const expected = Math.hypot(2 + along * Math.cos(angle), along * Math.sin(angle));
      expect(status[i - 1], `angle ${angle}`).toBe(Status.Separated);
      expect(distance[i - 1], `angle ${angle}`).toBeCloseTo(expected, 5);
    }
  });
});
