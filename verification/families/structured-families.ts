/**
 * Seeded families of pairs that break collision code: exact touch, ties, flat shapes, needles, equal poses, very
 * different sizes. Each pair uses a random arrangement of its family. B is placed in A's frame, then both are moved to
 * A's pose. If a touch is to be exact, A has an axis-aligned pose and a position in quarters, so that nothing is
 * rounded.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  anyFrame,
  f32,
  IDENTITY,
  inQuarters,
  multiply,
  pick,
  putPair,
  QUARTER_TURNS,
  randomRotation,
  rotated,
  tilt,
  touchGap,
  type Maker,
  type Slot,
} from './arrangements.ts';
import { emptyFamily, putBody, putRandomPair, shapeCores, type Family } from './family.ts';
import { concentric, farOut, nearlyRound, nearPoints, stacks } from './robust-families.ts';
import { hull32Points } from './random-shapes.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

export const structuredFamilyNames = [
  'aligned-boxes',
  'flat',
  'needles',
  'prisms',
  'identical',
  'sizes',
  'stacks',
  'concentric',
  'near-points',
  'far-out',
] as const;
/** `nearly-round` is not in the list above: the oracle takes 30 ms for one of its pairs. */
export type StructuredFamilyName = (typeof structuredFamilyNames)[number] | 'nearly-round';

export function makeStructuredFamily(name: StructuredFamilyName, count: number, seed: number): Family {
  const random = createRandom(seed);
  const { shapes, put, isWide } = makers[name](random);
  const family = emptyFamily(name, shapes, count, isWide);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++) put({ random, family, cores, index: i });
  return family;
}

const makers: Record<StructuredFamilyName, (random: Random) => Maker> = {
  'aligned-boxes': alignedBoxes,
  flat: flatShapes,
  needles,
  prisms,
  identical: identicalHulls,
  sizes: unequalSizes,
  stacks,
  concentric,
  'nearly-round': nearlyRound,
  'near-points': nearPoints,
  'far-out': farOut,
};

/**
 * Boxes rotated by quarter turns, touching at faces, edges or vertices, shifted along each other, concentric, some
 * tilted.
 */
function alignedBoxes(): Maker {
  const sizes = [
    [0.5, 0.5, 0.5],
    [0.25, 0.25, 0.25],
    [1, 1, 1],
    [0.5, 0.25, 1],
    [1, 1, 0.25],
    [0.5, 0.5, 0.125],
    [0.1, 0.1, 0.1],
    [0.1, 0.2, 0.3],
    [0.7, 0.3, 0.7],
  ].map(f32);
  const put = (slot: Slot) => {
    const { random } = slot;
    const a = below(random, sizes.length);
    const b = random() < 0.5 ? a : below(random, sizes.length);
    const turnA = pick(random, QUARTER_TURNS);
    const turnB = pick(random, QUARTER_TURNS);
    const halfA = rotated(turnA, sizes[a]).map(Math.abs);
    const halfB = rotated(turnB, sizes[b]).map(Math.abs);
    // Number of axes along which they touch: none (concentric), 1 at a face, 2 at an edge, 3 at a vertex.
    const touching = below(random, 4);
    const first = below(random, 3);
    const gap = touchGap(random, Math.max(...sizes[a], ...sizes[b]));
    const position = [0, 1, 2].map((axis) => {
      const reach = halfA[axis] + halfB[axis];
      const share = touching === 0 ? 0 : pick(random, [0, 0, 0.25, 0.5, 1]);
      return (random() < 0.5 ? -1 : 1) * ((axis + first) % 3 < touching ? reach + gap : reach * share);
    });
    const tilted = random() < 0.3 ? multiply(tilt(random), turnB) : turnB;
    const origin = inQuarters(random);
    putBody(slot.family, 2 * slot.index, a, { position: origin, quaternion: turnA });
    putBody(slot.family, 2 * slot.index + 1, b, {
      position: position.map((x, k) => x + origin[k]),
      quaternion: tilted,
    });
  };
  return { shapes: sizes.map((halfExtents) => ({ type: 'box', halfExtents })), put };
}

/**
 * Points, segments and polygons in the plane z = 0, thin ones in oblique planes, and two solids that may contain them.
 */
function flatShapes(random: Random): Maker {
  const polygon = (corners: number) =>
    Float32Array.from({ length: 3 * corners }, (_, i) => (i % 3 === 2 ? 0 : uniform(random, -1, 1)));
  const askew = (points: Float32Array) => {
    const turn = randomRotation(random);
    return Float32Array.from(
      Array.from({ length: points.length / 3 }, (_, i) => rotated(turn, points.subarray(3 * i))).flat(),
    );
  };
  const planar: ShapeDescription[] = [
    { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
    { type: 'triangle', points: polygon(3) },
    { type: 'triangle', points: polygon(3), radius: Math.fround(0.05) },
    { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0.5, 0, 0] },
    ...[4, 5, 6, 8, 12].map((corners): ShapeDescription => ({ type: 'hull', points: polygon(corners) })),
    { type: 'hull', points: polygon(6), radius: 0.125 },
    { type: 'hull', points: [0.5, 0.25, 0] },
    { type: 'hull', points: [-0.5, -0.5, 0, 0.75, 0.25, 0] },
    { type: 'box', halfExtents: [0.5, 0.5, 0] },
    { type: 'box', halfExtents: [1, 0.25, 0] },
    { type: 'box', halfExtents: [0.5, 0, 0] },
    { type: 'box', halfExtents: [0, 0, 0], radius: 0.125 },
  ];
  const others: ShapeDescription[] = [
    { type: 'hull', points: askew(polygon(6)) },
    { type: 'triangle', points: askew(polygon(3)) },
    { type: 'box', halfExtents: [0.5, 0.75, 1] },
    { type: 'hull', points: hull32Points(random, 1) },
  ];
  const shapes = [...planar, ...others];
  const inPlane = (reach: number) => [uniform(random, -reach, reach), uniform(random, -reach, reach), 0];
  const put = (slot: Slot) => {
    const a = below(random, planar.length);
    const b = below(random, planar.length);
    const turn = random() * 2 - 1;
    const aboutZ = pick(random, [IDENTITY, [0, 0, 1, 1], [0, 0, turn, 1]]);
    const frame = anyFrame(random);
    const arrangements = [
      // Coplanar: overlapping, apart, or in exactly the same pose.
      () => putPair(slot, a, b, { position: inPlane(1.5), quaternion: aboutZ }, frame),
      () => putPair(slot, a, random() < 0.5 ? a : b, { position: [0, 0, 0], quaternion: IDENTITY }, frame),
      // In parallel planes.
      () =>
        putPair(slot, a, b, { position: [...inPlane(1).slice(0, 2), touchGap(random, 1)], quaternion: aboutZ }, frame),
      // One perpendicular to the other.
      () =>
        putPair(
          slot,
          a,
          b,
          { position: [...inPlane(0.5).slice(0, 2), uniform(random, -1, 1)], quaternion: [1, 0, 0, 1] },
          frame,
        ),
      // Crossing at random, including solids.
      () =>
        putPair(
          slot,
          a,
          below(random, shapes.length),
          { position: inPlane(1), quaternion: randomRotation(random) },
          frame,
        ),
      () =>
        putPair(
          slot,
          a,
          planar.length + below(random, 4),
          { position: [0, 0, uniform(random, -1, 1)], quaternion: IDENTITY },
          frame,
        ),
      // Nearly coplanar.
      () => putPair(slot, a, b, { position: inPlane(1), quaternion: tilt(random) }, frame),
    ];
    pick(random, arrangements)();
  };
  return { shapes, put };
}

/** Needles and plates of 1000:1: random near touch, side by side, crossed and end to end. */
function needles(random: Random): Maker {
  const thin = Math.fround(1e-3);
  const extents = [
    [1, thin, thin],
    [1, 1, thin],
    [0.5, 0.5 * thin, 0.5 * thin],
    [0.25, 0.25, 0.25],
  ];
  // Points in opposite pairs, so that each needle contains its origin.
  const needle = (points: number) => {
    const half = Array.from({ length: points / 2 }, () => [
      uniform(random, -1, 1),
      uniform(random, -thin, thin),
      uniform(random, -thin, thin),
    ]);
    return Float32Array.from([...half, ...half.map((p) => p.map((x) => -x))].flat());
  };
  const shapes: ShapeDescription[] = [
    ...extents.map((halfExtents): ShapeDescription => ({ type: 'box', halfExtents })),
    ...[6, 8, 16].map((points): ShapeDescription => ({ type: 'hull', points: needle(points) })),
    { type: 'capsule', halfHeight: 1, radius: thin },
  ];
  const put = (slot: Slot) => {
    const a = below(random, shapes.length);
    const b = below(random, shapes.length);
    if (random() < 0.5) return putRandomPair(random, slot.family, slot.cores, slot.index, [a, b]);
    const across = 2 * thin + touchGap(random, 1);
    const quaternion = pick(random, [IDENTITY, [0, 0, 1, 1], tilt(random), randomRotation(random)]);
    const position = pick(random, [
      [0, 0, 0],
      [uniform(random, -2, 2), 0, across],
      [0, across, 0],
      [2 + touchGap(random, 1), 0, 0],
      [uniform(random, -1, 1), uniform(random, -thin, thin), uniform(random, -thin, thin)],
    ]);
    putPair(slot, a, b, { position, quaternion }, anyFrame(random));
  };
  return { shapes, put };
}

/** Prisms of twelve sides: caps stacked, sides together, rotated by a side or at random, tilted. */
function prisms(): Maker {
  const halfRoot3 = Math.sqrt(3) / 2;
  const quarter = [
    [1, 0],
    [halfRoot3, 0.5],
    [0.5, halfRoot3],
  ];
  // The four quarters of the circle: (x, y), (-y, x), (-x, -y), (y, -x).
  const circle = [
    ...quarter,
    ...quarter.map(([x, y]) => [-y, x]),
    ...quarter.map(([x, y]) => [-x, -y]),
    ...quarter.map(([x, y]) => [y, -x]),
  ];
  const sizes = [
    [0.5, 0.5],
    [0.5, 0.125],
    [0.25, 1],
    [1, 0.0625],
    [0.3, 0.2],
  ].map(f32);
  const shapes: ShapeDescription[] = sizes.map(([radius, halfHeight]) => ({
    type: 'hull',
    points: Float32Array.from(
      [-halfHeight, halfHeight].flatMap((z) => circle.flatMap(([x, y]) => [radius * x, radius * y, z])),
    ),
  }));
  shapes.push({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  sizes.push([0.5, 0.5]);
  // Half of 30 degrees.
  const side = [0, 0, (Math.sqrt(6) - Math.sqrt(2)) / 4, (Math.sqrt(6) + Math.sqrt(2)) / 4];
  const apothem = (Math.sqrt(6) + Math.sqrt(2)) / 4;
  const put = (slot: Slot) => {
    const { random } = slot;
    const a = below(random, shapes.length);
    const b = random() < 0.5 ? a : below(random, shapes.length);
    const [radiusA, heightA] = sizes[a];
    const [radiusB, heightB] = sizes[b];
    const gap = touchGap(random, 1);
    const turn = pick(random, [IDENTITY, side, [0, 0, 1, 1], [0, 0, uniform(random, -1, 1), 1]]);
    const quaternion = random() < 0.3 ? multiply(tilt(random), turn) : turn;
    // Rotated by half a side, so that sides face each other.
    const facing = [apothem, Math.sqrt(1 - apothem * apothem)];
    const position = pick(random, [
      [0, 0, heightA + heightB + gap],
      [uniform(random, -radiusA, radiusA), uniform(random, -radiusA, radiusA), heightA + heightB + gap],
      [...facing.map((x) => x * (apothem * (radiusA + radiusB) + gap)), 0],
      [radiusA + radiusB + gap, 0, uniform(random, -heightA, heightA)],
      [0, 0, 0],
    ]);
    const upright = { position: inQuarters(random), quaternion: IDENTITY };
    putPair(slot, a, b, { position, quaternion }, random() < 0.7 ? upright : anyFrame(random));
  };
  return { shapes, put };
}

/** The same hull in the same pose, small hulls inside large ones, hulls that do not contain their origin. */
function identicalHulls(random: Random): Maker {
  const large = Array.from({ length: 8 }, () => hull32Points(random, 1));
  const small = large.map((points) => points.map((x) => 0.125 * x));
  const centres = large.map(() => unitVector(random, [0, 0, 0]).map((x) => Math.fround(4 * x)));
  const away = large.map((points, i) => points.map((x, k) => x + centres[i][k % 3]));
  const shapes = [...large, ...small, ...away].map((points): ShapeDescription => ({ type: 'hull', points }));
  const put = (slot: Slot) => {
    const a = below(random, 8);
    const b = below(random, 8);
    const frame = anyFrame(random);
    const step = (size: number) => unitVector(random, [0, 0, 0]).map((x) => size * x);
    const nudge = step(pick(random, [0, 0, 1e-6, 1e-4, 1e-2]));
    const turn = pick(random, [IDENTITY, tilt(random), randomRotation(random)]);
    const turnedCentre = rotated(turn, centres[b]);
    const overCentre = (offset: number[]) => offset.map((x, k) => x + centres[a][k] - turnedCentre[k]);
    const arrangements = [
      () => putPair(slot, a, a, { position: nudge, quaternion: IDENTITY }, frame),
      () => putPair(slot, a, 8 + b, { position: step(uniform(random, 0, 0.3)), quaternion: turn }, frame),
      () => putPair(slot, 16 + a, 16 + a, { position: nudge, quaternion: IDENTITY }, frame),
      () =>
        putPair(slot, 16 + a, 16 + b, { position: overCentre(step(uniform(random, 0, 2))), quaternion: turn }, frame),
      () =>
        putPair(
          slot,
          16 + a,
          8 + b,
          { position: centres[a].map((x) => x + uniform(random, -1, 1)), quaternion: turn },
          frame,
        ),
    ];
    pick(random, arrangements)();
  };
  return { shapes, put };
}

/** Shapes of 1 cm to 1 km against each other, and small boxes on slabs of half-widths 1 to 100. */
function unequalSizes(random: Random): Maker {
  const sizes = [0.005, 0.05, 0.5, 5, 50, 500];
  const bodies = sizes.flatMap((size): ShapeDescription[] => [
    { type: 'box', halfExtents: f32([size, 0.75 * size, 0.5 * size]) },
    { type: 'hull', points: hull32Points(random, size) },
    { type: 'sphere', radius: Math.fround(size) },
  ]);
  const slabs = [1, 2, 5, 10, 25, 50, 100];
  const tile = Math.fround(0.1);
  const shapes: ShapeDescription[] = [
    ...bodies,
    ...slabs.map((half): ShapeDescription => ({ type: 'box', halfExtents: [half, half, 0.25] })),
    { type: 'box', halfExtents: [tile, tile, tile] },
  ];
  const put = (slot: Slot) => {
    if (random() < 0.6) {
      putRandomPair(random, slot.family, slot.cores, slot.index, [
        below(random, bodies.length),
        below(random, bodies.length),
      ]);
      return;
    }
    const which = below(random, slabs.length);
    const across = () => slabs[which] * pick(random, [0, uniform(random, -1, 1)]);
    const height = 0.25 + tile + pick(random, [0, 1e-5, -1e-5, 1e-3, -1e-3]);
    const quaternion = pick(random, [IDENTITY, tilt(random), [0, 0, uniform(random, -1, 1), 1]]);
    const frame = random() < 0.5 ? { position: [0, 0, 0.25], quaternion: IDENTITY } : anyFrame(random);
    putPair(
      slot,
      bodies.length + which,
      shapes.length - 1,
      { position: [across(), across(), height], quaternion },
      frame,
    );
  };
  return { shapes, put };
}
