/** Pairs of a shape of almost no width near touch with another shape. */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putRandomPair, shapeCores, type Family } from './family.ts';
import { randomBox, randomCapsule, randomHull, randomTriangle, randomUpright } from './random-shapes.ts';
import { below, createRandom, spread, uniform, type Random } from './random.ts';

const SHAPES = 48;

/** Shapes about 1 long and `width` wide, around their origin. */
const slivers: readonly ((random: Random, width: number) => ShapeDescription)[] = [
  (random, width) => ({
    type: 'triangle',
    points: rounded([
      -uniform(random, 0.1, 0.5),
      0,
      0,
      uniform(random, 0.1, 0.5),
      0,
      0,
      uniform(random, -0.3, 0.3),
      width,
      0,
    ]),
  }),
  // A blunt end and a sharp one.
  (random, width) => ({
    type: 'triangle',
    points: rounded([
      -uniform(random, 0.1, 0.5),
      0,
      -width / 2,
      uniform(random, 0.1, 0.5),
      0,
      0,
      -uniform(random, 0.1, 0.5),
      0,
      width / 2,
    ]),
  }),
  (random, width) => needlePrism(3 + below(random, 4), uniform(random, 0.1, 0.5), width),
  (random, width) => ({
    type: 'box',
    halfExtents: rounded([
      width / 2,
      uniform(random, 0.1, 0.5),
      below(random, 2) === 0 ? width / 2 : uniform(random, 0.1, 0.5),
    ]),
  }),
  // A flat strip, and a wedge of almost no angle.
  (random, width) => ({ type: 'hull', points: strip(uniform(random, 0.1, 0.5), width, uniform(random, 0.2, 1)) }),
  (random, width) => ({
    type: 'hull',
    points: rounded([
      -0.4,
      0,
      -0.2,
      -0.4,
      0,
      0.2,
      uniform(random, 0.1, 0.5),
      width,
      0,
      0.3,
      -width,
      uniform(random, -0.2, 0.2),
      0.3,
      0,
      0,
    ]),
  }),
];

function needlePrism(corners: number, half: number, width: number): ShapeDescription {
  const points = Array.from({ length: 2 * corners }, (_, i) => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return [(width / 2) * Math.cos(angle), i < corners ? half : -half, (width / 2) * Math.sin(angle)];
  });
  return { type: 'hull', points: rounded(points.flat()) };
}

function strip(half: number, width: number, taper: number): number[] {
  return rounded([
    -half,
    0,
    -width / 2,
    -half,
    0,
    width / 2,
    half,
    0,
    (-taper * width) / 2,
    half,
    0,
    (taper * width) / 2,
  ]);
}

function rounded(numbers: number[]): number[] {
  return numbers.map(Math.fround);
}

const partners = {
  box: (random, index) => randomBox(random, index, 0.7),
  hull: randomHull,
  cylinder: (random, index) => randomUpright('cylinder', random, index, 0.7),
  cone: (random, index) => randomUpright('cone', random, index, 0.7),
  capsule: randomCapsule,
  triangle: (random) => randomTriangle(random, 0.7),
} satisfies Record<string, (random: Random, index: number) => ShapeDescription>;

export type Partner = keyof typeof partners;
export const PARTNERS = Object.keys(partners) as Partner[];

/** `count` pairs. Every other pair has the sliver second. */
export function makeSliverFamily(partner: Partner, width: number, count: number, seed: number): Family {
  const random = createRandom(seed);
  const make: (random: Random, index: number) => ShapeDescription = partners[partner];
  const shapes = [
    ...Array.from({ length: SHAPES }, (_, i) =>
      slivers[i % slivers.length](random, Math.fround(width * spread(random, 1, 2))),
    ),
    ...Array.from({ length: SHAPES }, (_, i) => make(random, i)),
  ];
  const family = emptyFamily(`slivers ${width} wide, ${partner}`, shapes, count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++)
    putRandomPair(random, family, cores, i, [below(random, SHAPES), SHAPES + below(random, SHAPES)], {
      swapped: i % 2 === 1,
      room: 0.5,
    });
  return family;
}
