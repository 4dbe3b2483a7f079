/**
 * Seeded families of 2-D pairs. `makePlanarTypeFamily` gives random pairs of each two types of shape, plain and
 * rounded, in very different sizes. `makePlanarFamily` gives pairs that break collision code. The same seed gives the
 * same family in all JavaScript engines that agree on sine and cosine.
 */

import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import { f32, pick, touchGap } from './arrangements.ts';
import {
  anyAngle,
  anyPlanarFrame,
  fillPlanarFamily,
  putPlanarBody,
  putPlanarPair,
  putRandomPlanarPair,
  type PlanarFamily,
  type PlanarMaker,
  type PlanarSlot,
} from './planar-family.ts';
import { below, createRandom, spread, uniform, type Random } from './random.ts';

export { planarPairsOf, planarPoseOf, type PlanarFamily, type PlanarFamilyPair } from './planar-family.ts';

type PlanarType = PlanarConvexDescription['type'];

/** Makes a shape that extends `size` or less from its origin. */
const shapeTypes: Record<PlanarType, (random: Random, size: number) => PlanarConvexDescription> = {
  circle: (random, size) => ({ type: 'circle', radius: Math.fround(size * uniform(random, 0.5, 1)) }),
  segment: plainOrRounded((random, size) => ({
    type: 'segment',
    points: f32([0, 1, 2, 3].map(() => uniform(random, -0.7 * size, 0.7 * size))),
  })),
  capsule: (random, size) => ({
    type: 'capsule',
    halfHeight: Math.fround(size * uniform(random, 0.1, 0.8)),
    radius: Math.fround(size * spread(random, 0.5, 2)),
  }),
  rectangle: plainOrRounded((random, size) => ({
    type: 'rectangle',
    halfExtents: f32([0, 1].map(() => 0.7 * size * spread(random, 1, 4))),
  })),
  polygon: plainOrRounded((random, size) => ({
    type: 'polygon',
    points: ringPoints(random, 3 + below(random, 14), size),
  })),
};

function plainOrRounded(
  make: (random: Random, size: number) => PlanarConvexDescription,
): (random: Random, size: number) => PlanarConvexDescription {
  return (random, size) => {
    const shape = make(random, size);
    return random() < 0.5 ? shape : { ...shape, radius: Math.fround(size * spread(random, 0.4, 6)) };
  };
}

/** Corners anywhere on an ellipse around the origin whose longer half axis is `longest`. */
export function ringPoints(
  random: Random,
  count: number,
  longest: number,
  ratio = uniform(random, 0.2, 1),
): Float32Array {
  const tilt = anyAngle(random);
  return Float32Array.from(
    Array.from({ length: count }, (_, i) => (2 * Math.PI * (i + 0.8 * random())) / count).flatMap((angle) => {
      const [x, y] = [longest * Math.cos(angle), longest * ratio * Math.sin(angle)];
      return [Math.cos(tilt) * x - Math.sin(tilt) * y, Math.sin(tilt) * x + Math.cos(tilt) * y];
    }),
  );
}

const types = Object.keys(shapeTypes) as PlanarType[];

/** `circle/circle`, `circle/segment` and so on: each two types once. */
export const planarTypePairNames: readonly string[] = types.flatMap((a, i) => types.slice(i).map((b) => `${a}/${b}`));

const SHAPES_PER_TYPE = 64;

/**
 * `count` pairs of two types with sizes of 1 cm to 110 m. If the types differ, every other pair has them swapped. Half
 * have scales of 1/2 to 4.
 */
export function makePlanarTypeFamily(name: string, count: number, seed: number): PlanarFamily {
  const random = createRandom(seed);
  const kinds = name.split('/') as PlanarType[];
  const shapes = kinds.flatMap((type) =>
    Array.from({ length: SHAPES_PER_TYPE }, (_, i) =>
      shapeTypes[type](random, (110 * uniform(random, 0.5, 1)) / 2 ** Math.floor(i / 5)),
    ),
  );
  const put = (slot: PlanarSlot) => {
    const a = below(random, SHAPES_PER_TYPE);
    const near =
      random() < 0.25
        ? below(random, SHAPES_PER_TYPE)
        : Math.min(Math.max(a + below(random, 17) - 8, 0), SHAPES_PER_TYPE - 1);
    const b = SHAPES_PER_TYPE + near;
    const scales =
      random() < 0.5
        ? ([1, 1] as const)
        : ([Math.fround(spread(random, 4, 3)), Math.fround(spread(random, 4, 3))] as const);
    const room = 4 * (slot.shapes[a].boundingRadius + slot.shapes[b].boundingRadius);
    putRandomPlanarPair(slot, ...(slot.index % 2 ? ([b, a] as const) : ([a, b] as const)), { scales, room });
  };
  return fillPlanarFamily(name, { shapes, put, hasScales: true }, count, random);
}

const makers = {
  touching,
  'ulp-gaps': ulpGaps,
  parallel,
  identical,
  concentric,
  needles: (random: Random) => thinShapes(random, [1e-3]),
  slivers: (random: Random) => thinShapes(random, [1e-5, 1e-6, 1e-7]),
  repeated,
  degenerate,
  'many-corners': manyCorners,
  'dense-corners': denseCorners,
  'tiny-and-huge': tinyAndHuge,
  'far-out': farOut,
  units,
  turned,
  'off-origin': offOrigin,
} satisfies Record<string, (random: Random) => PlanarMaker>;

export type PlanarFamilyName = keyof typeof makers;
/** `dense-corners` is left out, since the oracle takes 200 ms for one of its pairs. */
export const planarFamilyNames = (Object.keys(makers) as PlanarFamilyName[]).filter((name) => name !== 'dense-corners');

export function makePlanarFamily(name: PlanarFamilyName, count: number, seed: number): PlanarFamily {
  const random = createRandom(seed);
  return fillPlanarFamily(name, makers[name](random), count, random);
}

const QUARTER = Math.PI / 2;

/** Shapes with all coordinates in quarters. */
const latticeShapes: PlanarConvexDescription[] = [
  { type: 'circle', radius: 0.5 },
  { type: 'circle', radius: 0.25 },
  { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
  { type: 'segment', points: [-0.5, 0, 0.5, 0] },
  { type: 'segment', points: [0, 0, 0.75, 1], radius: 0.25 },
  { type: 'rectangle', halfExtents: [0.5, 0.5] },
  { type: 'rectangle', halfExtents: [1, 0.25] },
  { type: 'rectangle', halfExtents: [0.25, 0.5], radius: 0.25 },
  { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
  { type: 'polygon', points: [-0.75, 0, 0, -1, 0.75, 0, 0, 1] },
  { type: 'polygon', points: [-0.5, -1, 0.5, -1, 1, 0, 0.5, 1, -0.5, 1, -1, 0], radius: 0.25 },
];

/** Corner on corner, corner on edge, edge along edge, without any rounding except that of quarter turns. */
function touching(): PlanarMaker {
  return { shapes: latticeShapes, put: (slot) => putTouching(slot) };
}

function putTouching({ random, family, shapes, index }: PlanarSlot): void {
  const a = below(random, shapes.length);
  const b = below(random, shapes.length);
  const angle = random() < 0.7 ? 0 : QUARTER * (below(random, 5) - 2);
  const origin = [0, 1].map(() => (below(random, 65) - 32) / 4);
  const place = (shape: number) => {
    const { corners, radius } = shapes[shape];
    const [i, j] = [below(random, corners.length / 2), below(random, corners.length / 2)];
    const share = pick(random, [0, 0, 0.5, 0.25]);
    return [0, 1].map(
      (k) => corners[2 * i + k] + share * (corners[2 * j + k] - corners[2 * i + k]) + radius * (below(random, 3) - 1),
    );
  };
  const [onA, onB] = [place(a), place(b)];
  putPlanarBody(family, 2 * index, a, { position: origin, angle });
  putPlanarBody(family, 2 * index + 1, b, {
    position: origin.map((x, k) => x + onA[k] - onB[k]),
    angle: random() < 0.8 ? angle : angle + QUARTER,
  });
}

/** Like `touching`, with B's position changed by one to three units of its last f32 place. */
function ulpGaps(): PlanarMaker {
  return { shapes: latticeShapes, put: putUlpGap };
}

function putUlpGap(slot: PlanarSlot): void {
  putTouching(slot);
  const { positions } = slot.family.bodies;
  const bits = new Int32Array(positions.buffer, 4 * (4 * slot.index + 2), 2);
  for (let k = 0; k < 2; k++) if (positions[4 * slot.index + 2 + k] !== 0) bits[k] += below(slot.random, 7) - 3;
}

const TILTS = [0, 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2];

/** Side along side, shifted, slightly apart or overlapping, with one of them rotated by almost nothing. */
function parallel(random: Random): PlanarMaker {
  const heights = [0.5, 0.25, 0.3, 0, 0.5, 0.2, 0.75];
  const shapes: PlanarConvexDescription[] = [
    { type: 'rectangle', halfExtents: [0.5, 0.5] },
    { type: 'rectangle', halfExtents: [1, 0.25] },
    { type: 'rectangle', halfExtents: f32([0.7, 0.2]), radius: Math.fround(0.1) },
    { type: 'segment', points: f32([-0.7, 0, 0.7, 0]) },
    { type: 'polygon', points: f32([-1, -0.5, 1, -0.5, 0.6, 0.5, -0.6, 0.5]) },
    { type: 'segment', points: f32([-0.3, 0, 0.9, 0]), radius: Math.fround(0.2) },
    {
      type: 'polygon',
      points: f32([-0.8, -0.5, 0.8, -0.5, 1, 0, 0.8, 0.5, -0.8, 0.5, -1, 0]),
      radius: Math.fround(0.25),
    },
  ];
  const put = (slot: PlanarSlot) => {
    const a = below(random, shapes.length);
    const b = below(random, shapes.length);
    const along = pick(random, [0, 0, 0.5, 1, 1.5, uniform(random, -2, 2)]);
    const tilt = pick(random, TILTS) * (random() < 0.5 ? -1 : 1) + (random() < 0.2 ? Math.PI : 0);
    putPlanarPair(
      slot,
      a,
      b,
      { position: [along, heights[a] + heights[b] + touchGap(random, 1)], angle: tilt },
      anyPlanarFrame(random),
    );
  };
  return { shapes, put };
}

function mixedShapes(random: Random, size: number): PlanarConvexDescription[] {
  return types.flatMap((type) => Array.from({ length: 4 }, () => shapeTypes[type](random, size)));
}

/** The same shape twice in nearly the same pose. */
function identical(random: Random): PlanarMaker {
  const shapes = [...latticeShapes, ...mixedShapes(random, 1)];
  const put = (slot: PlanarSlot) => {
    const a = below(random, shapes.length);
    if (random() < 0.35) return putRandomPlanarPair(slot, a, a);
    const position = [0, 1].map(() => pick(random, [0, 0, 1e-7, -1e-6, 1e-5, -1e-3]));
    putPlanarPair(slot, a, a, { position, angle: pick(random, [...TILTS, Math.PI, QUARTER]) }, anyPlanarFrame(random));
  };
  return { shapes, put };
}

/** Small shapes anywhere in large ones, and concentric shapes. */
function concentric(random: Random): PlanarMaker {
  const large = [...latticeShapes, ...mixedShapes(random, 1)];
  const shapes = [...large, ...mixedShapes(random, 0.1)];
  const put = (slot: PlanarSlot) => {
    const a = below(random, large.length);
    const b = below(random, shapes.length);
    if (random() < 0.4) return putRandomPlanarPair(slot, a, b);
    const position =
      random() < 0.5 ? [0, 0] : [0, 1].map(() => pick(random, [0, 1e-6, -1e-3, uniform(random, -0.4, 0.4)]));
    putPlanarPair(
      slot,
      a,
      b,
      { position, angle: pick(random, [0, 1e-5, QUARTER, anyAngle(random)]) },
      anyPlanarFrame(random),
    );
  };
  return { shapes, put };
}

/** Shapes whose widths are these shares of their length: end to end, side by side, crossing, nearly parallel. */
function thinShapes(random: Random, widths: number[]): PlanarMaker {
  const shapes = widths.flatMap((w): PlanarConvexDescription[] => {
    const [width, half] = f32([w, 0.5 * w]);
    return [
      { type: 'rectangle', halfExtents: [1, width] },
      { type: 'rectangle', halfExtents: [1, width], radius: half },
      { type: 'rectangle', halfExtents: [half, 1] },
      { type: 'segment', points: [-1, 0, 1, 0] },
      { type: 'segment', points: [-1, 0, 1, width], radius: width },
      { type: 'capsule', halfHeight: 1, radius: width },
      { type: 'polygon', points: [-1, 0, 0, -width, 1, 0, 0, width] },
      { type: 'polygon', points: [-1, 0, 1, 0, -1, width] },
      { type: 'polygon', points: [-1, 0, 1, 0, 0, width] },
      { type: 'polygon', points: [-1, 0, 1, half, 1, width], radius: half },
      { type: 'polygon', points: f32([-1, 0, -0.5, -half, 0.5, -half, 1, 0, 0.3, width]) },
      { type: 'polygon', points: f32([-0.7, -0.7, 0.7, 0.7, -0.7 - w, -0.7 + w]) },
    ];
  });
  const width = Math.max(...widths);
  const put = (slot: PlanarSlot) => {
    const a = below(random, shapes.length);
    const b = below(random, shapes.length);
    if (random() < 0.3) return putRandomPlanarPair(slot, a, b);
    const off = () => width * pick(random, [0, 0, 0.5, 1, 2, uniform(random, -3, 3)]);
    const gap = pick(random, [0, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5, 1e-4, 1e-2, -1e-2]);
    const tilt = pick(random, TILTS) * (random() < 0.5 ? -1 : 1) + (random() < 0.5 ? Math.PI : 0);
    const arrangements = [
      { position: [2 + gap, off()], angle: tilt },
      { position: [uniform(random, -1.9, 1.9), off()], angle: tilt },
      { position: [uniform(random, -0.9, 0.9), uniform(random, -0.9, 0.9)], angle: anyAngle(random) },
      { position: [1 + gap, pick(random, [0, 0.5, 1]) + off()], angle: QUARTER + tilt },
    ];
    putPlanarPair(slot, a, b, pick(random, arrangements), anyPlanarFrame(random));
  };
  return { shapes, put };
}

/** Polygons with repeated points, points on edges, and points that are off by less than f32 can represent. */
function repeated(random: Random): PlanarMaker {
  const shapes = Array.from({ length: 40 }, (_, i): PlanarConvexDescription => {
    const ring =
      i % 4 === 0 ? f32([-1, -1, 1, -1, 1, 1, -1, 1]) : Array.from(ringPoints(random, 3 + below(random, 12), 1));
    const points = Array.from({ length: ring.length / 2 }, (_p, p) => [ring[2 * p], ring[2 * p + 1]]);
    const extra = points.flatMap(([x, y], p) => {
      const [nextX, nextY] = points[(p + 1) % points.length];
      const share = random();
      return random() < 0.5
        ? [[x, y]]
        : [
            [x + share * (nextX - x), y + share * (nextY - y)],
            [x + 1e-8 * uniform(random, -1, 1), y + 1e-8 * uniform(random, -1, 1)],
          ];
    });
    const shuffled = [...points, ...extra].map((point) => ({ point, key: random() })).sort((p, q) => p.key - q.key);
    return {
      type: 'polygon',
      points: f32(shuffled.flatMap(({ point }) => point)),
      ...(random() < 0.3 && { radius: Math.fround(0.1) }),
    };
  });
  return {
    shapes,
    put: (slot) => putRandomPlanarPair(slot, below(random, shapes.length), below(random, shapes.length)),
  };
}

/**
 * Points and segments as degenerate cases of every type: crossing, collinear, with common ends; and some solids that
 * contain them.
 */
function degenerate(random: Random): PlanarMaker {
  const shapes: PlanarConvexDescription[] = [
    { type: 'circle', radius: 0 },
    { type: 'capsule', halfHeight: 0, radius: 0 },
    { type: 'capsule', halfHeight: 0, radius: 0.25 },
    { type: 'capsule', halfHeight: 0.5, radius: 0 },
    { type: 'segment', points: [0.25, 0.5, 0.25, 0.5] },
    { type: 'segment', points: [-0.5, 0, 0.5, 0] },
    { type: 'segment', points: [0, 0, 0.5, 0.5] },
    { type: 'segment', points: [0, 0, 0.5, 0.5], radius: 0.125 },
    { type: 'rectangle', halfExtents: [0, 0] },
    { type: 'rectangle', halfExtents: [0.5, 0] },
    { type: 'rectangle', halfExtents: [0, 0.5], radius: 0.25 },
    { type: 'polygon', points: [0.25, 0.25] },
    { type: 'polygon', points: [0.25, 0.25, 0.25, 0.25], radius: 0.125 },
    { type: 'polygon', points: [0, 0, 1, 0] },
    { type: 'polygon', points: [1, 1, 0, 0, 0.5, 0.5, 0.25, 0.25] },
    { type: 'polygon', points: f32([0.1, 0.3, 0.7, 0.9, 0.1, 0.3]) },
    { type: 'rectangle', halfExtents: [0.5, 0.25] },
    { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
    { type: 'circle', radius: 0.5 },
  ];
  const put = (slot: PlanarSlot) => {
    const a = below(random, shapes.length);
    const b = below(random, shapes.length);
    if (random() < 0.4) return putRandomPlanarPair(slot, a, b);
    const coordinate = () => (below(random, 9) - 4) / 8;
    const position = random() < 0.3 ? [0, 0] : random() < 0.5 ? [coordinate(), 0] : [coordinate(), coordinate()];
    putPlanarPair(
      slot,
      a,
      b,
      { position, angle: pick(random, [0, 0, QUARTER / 2, QUARTER, Math.PI, 1e-6]) },
      anyPlanarFrame(random),
    );
  };
  return { shapes, put };
}

/** Polygons of 17 to 300 corners, whose supports come from a table, with each other and with small ones. */
function manyCorners(random: Random): PlanarMaker {
  const counts = [17, 18, 19, 20, 21, 24, 31, 32, 33, 48, 64, 65, 100, 128, 200, 256, 299, 300];
  const large = counts.flatMap((count, i): PlanarConvexDescription[] => [
    { type: 'polygon', points: ringPoints(random, count, 1) },
    { type: 'polygon', points: regularPoints(count, 1), ...(i % 2 && { radius: 0.25 }) },
    { type: 'polygon', points: ringPoints(random, count, 1, pick(random, [0.1, 0.01, 1])) },
    // Half a disc, and one far from its origin.
    {
      type: 'polygon',
      points: f32(
        Array.from({ length: count }, (_, p) => (Math.PI * p) / (count - 1)).flatMap((angle) => [
          Math.cos(angle),
          Math.sin(angle),
        ]),
      ),
    },
    { type: 'polygon', points: ringPoints(random, count, 1).map((x) => x + 3) },
  ]);
  const shapes = [...large, ...mixedShapes(random, 1)];
  const put = (slot: PlanarSlot) => {
    const a = below(random, large.length);
    const b = below(random, random() < 0.6 ? large.length : shapes.length);
    if (random() < 0.8) return putRandomPlanarPair(slot, a, b);
    const position = [0, 1].map(() => pick(random, [0, 1e-6, uniform(random, -0.4, 0.4)]));
    putPlanarPair(
      slot,
      a,
      random() < 0.5 ? a : b,
      { position, angle: pick(random, [...TILTS, anyAngle(random)]) },
      anyPlanarFrame(random),
    );
  };
  return { shapes, put };
}

function regularPoints(count: number, radius: number): number[] {
  return f32(
    Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).flatMap((angle) => [
      radius * Math.cos(angle),
      radius * Math.sin(angle),
    ]),
  );
}

/** Polygons of 4096 corners. */
function denseCorners(random: Random): PlanarMaker {
  const shapes: PlanarConvexDescription[] = [
    { type: 'polygon', points: regularPoints(4096, 1) },
    { type: 'polygon', points: regularPoints(4096, 1), radius: 0.25 },
    { type: 'rectangle', halfExtents: [0.5, 0.5] },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'polygon', points: ringPoints(random, 4096, 1, 0.5) },
  ];
  return { shapes, put: (slot) => putRandomPlanarPair(slot, pick(random, [0, 1, 4]), below(random, shapes.length)) };
}

/** Millimetre-sized shapes beside kilometre-sized ones. */
function tinyAndHuge(random: Random): PlanarMaker {
  const huge = mixedShapes(random, 1e3);
  const shapes = [...huge, ...mixedShapes(random, 1e-3)];
  const put = (slot: PlanarSlot) => {
    const a = below(random, huge.length);
    const b = huge.length + below(random, shapes.length - huge.length);
    const pair = random() < 0.5 ? ([a, b] as const) : ([b, a] as const);
    putRandomPlanarPair(slot, ...pair, { room: 100 });
  };
  return { shapes, put };
}

/** Half a metre across, 1000 km from the world's origin, with 64-bit positions. */
function farOut(random: Random): PlanarMaker {
  const shapes = mixedShapes(random, 0.5);
  const put = (slot: PlanarSlot) => {
    putRandomPlanarPair(slot, below(random, shapes.length), below(random, shapes.length));
    const { positions } = slot.family.bodies;
    const direction = anyAngle(random);
    for (let k = 0; k < 4; k++)
      positions[4 * slot.index + k] += 1e6 * (k % 2 ? Math.sin(direction) : Math.cos(direction));
  };
  return { shapes, put, isWide: true };
}

/** Sizes at both ends of the supported range. */
function units(random: Random): PlanarMaker {
  const small = mixedShapes(random, 1e-6);
  const shapes = [...small, ...mixedShapes(random, 5e5)];
  const put = (slot: PlanarSlot) => {
    const first = random() < 0.5 ? 0 : small.length;
    putRandomPlanarPair(slot, first + below(random, small.length), first + below(random, small.length), {
      room: first ? 1e6 : 1e-6,
    });
  };
  return { shapes, put };
}

/** Angles of many turns, and multiples of a quarter turn as close as f32 has them. */
function turned(random: Random): PlanarMaker {
  const shapes = [...latticeShapes, ...mixedShapes(random, 1)];
  const angle = () =>
    pick(random, [
      0,
      QUARTER,
      -QUARTER,
      Math.PI,
      -Math.PI,
      2 * Math.PI,
      uniform(random, -1000, 1000),
      QUARTER * below(random, 1000),
      1e5 * uniform(random, -1, 1),
    ]);
  return {
    shapes,
    put: (slot) =>
      putRandomPlanarPair(slot, below(random, shapes.length), below(random, shapes.length), {
        angles: [angle(), angle()],
      }),
  };
}

/** Polygons and segments whose body's origin is far outside of them. */
function offOrigin(random: Random): PlanarMaker {
  const shapes = mixedShapes(random, 1).flatMap((shape): PlanarConvexDescription[] => {
    if (shape.type !== 'polygon' && shape.type !== 'segment') return [];
    return [2, 10, 100].map((far) => {
      const [x, y] = [uniform(random, -far, far), uniform(random, -far, far)];
      return { ...shape, points: f32(Array.from(shape.points, (value, i) => value + (i % 2 ? y : x))) };
    });
  });
  return {
    shapes,
    put: (slot) => putRandomPlanarPair(slot, below(random, shapes.length), below(random, shapes.length)),
  };
}
