/**
 * Seeded bodies in motion: shapes of every type, and pairs of two types that meet, pass, part or overlap to begin with.
 */

import { createShape } from '../../../src/cpu.ts';
import {
  addScaled,
  dot,
  length,
  rotationMatrix,
  scale,
  set,
  transform,
  vec3,
  type Vec3,
} from '../../../src/cpu/math.ts';
import { createPair, makePair } from '../../../src/cpu/pair.ts';
import { support, vertex } from '../../../src/cpu/support.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import {
  createRandom,
  below,
  spread,
  uniform,
  unitVector,
  type Random,
} from '../../../verification/families/random.ts';
import {
  randomBox,
  randomCapsule,
  randomCloud,
  randomEllipsoid,
  randomHalfspace,
  randomHull,
  randomRoundedBox,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../../../verification/families/random-shapes.ts';
import { turnedBy, type MovingBodyArrays } from '../../../verification/judges/motion/moving.ts';

type Make = (random: Random, index: number) => ShapeDescription;

const size = (random: Random): number => spread(random, 1, 4);

const MAKERS = {
  sphere: randomSphere,
  box: randomBox,
  'rounded box': randomRoundedBox,
  capsule: randomCapsule,
  triangle: (random) => randomTriangle(random, size(random)),
  hull: (random, index) => (index % 4 === 3 ? randomCloud(random, size(random)) : randomHull(random)),
  cylinder: (random, index) => randomUpright('cylinder', random, index, size(random)),
  cone: (random, index) => randomUpright('cone', random, index, size(random)),
  ellipsoid: (random, index) => randomEllipsoid(random, index, size(random)),
  halfspace: (random) => randomHalfspace(random, 1),
} satisfies Record<string, Make>;

export type ShapeType = keyof typeof MAKERS;
export const TYPES = Object.keys(MAKERS) as ShapeType[];

/** Two types, the earlier in `TYPES` first. */
export type TypePair = readonly [ShapeType, ShapeType];

/** All unordered pairs but of two half-spaces. */
export const TYPE_PAIRS: readonly TypePair[] = TYPES.flatMap((first, i) =>
  TYPES.slice(i).flatMap((second): TypePair[] => (first === 'halfspace' ? [] : [[first, second]])),
);

interface Shapes {
  descriptions: ShapeDescription[];
  /** All numbers are f32: these are the shapes that testers have. */
  data: ShapeData[];
}

/** So many shapes of a type: building hulls is not what is measured here. */
const SHAPES = 64;

const made = new Map<string, Shapes>();

function shapesOf(type: ShapeType, seed: number): Shapes {
  const key = `${type} ${seed}`;
  const known = made.get(key);
  if (known) return known;
  const random = createRandom(seedOf(seed, TYPES.indexOf(type)));
  const descriptions = Array.from({ length: SHAPES }, (_, index) => MAKERS[type](random, index));
  const shapes = { descriptions, data: descriptions.map((description) => createShape(description)) };
  made.set(key, shapes);
  return shapes;
}

/** Pairs that are asked at once: bodies 2i and 2i + 1 are pair i. */
export interface Chunk {
  descriptions: ShapeDescription[];
  data: ShapeData[];
  bodies: MovingBodyArrays;
  pairs: Uint32Array;
  duration: number;
}

export type Kind = 'straight' | 'turning';

/** A chunk's pairs don't depend on how many there are: fewer are the first of more. */
export function makeChunk(types: TypePair, kind: Kind, index: number, count: number, seed: number): Chunk {
  const shapes = types.map((type) => shapesOf(type, seed));
  const random = createRandom(
    seedOf(
      seed,
      1000 + TYPE_PAIRS.findIndex(([a, b]) => a === types[0] && b === types[1]),
      kind === 'turning' ? 1 : 0,
      index,
    ),
  );
  const bodies = {
    shapes: new Uint32Array(2 * count),
    positions: new Float32Array(6 * count),
    quaternions: new Float32Array(8 * count),
    linearVelocities: new Float32Array(6 * count),
    ...(kind === 'turning' && { angularVelocities: new Float32Array(6 * count) }),
  };
  const chunk: Chunk = {
    descriptions: shapes.flatMap(({ descriptions }) => descriptions),
    data: shapes.flatMap(({ data }) => data),
    bodies,
    pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i),
    duration: Math.fround(uniform(random, 0.25, 4)),
  };
  for (let pair = 0; pair < count; pair++) {
    const chosen = [below(random, SHAPES), SHAPES + below(random, SHAPES)];
    putPair(random, chunk, pair, pair % 2 === 0 ? chosen : chosen.reverse());
  }
  return chunk;
}

/** Each number spreads over all bits, so that neighbours have nothing in common. */
function seedOf(...numbers: number[]): number {
  return numbers.reduce(
    (hash, number) => Math.imul(hash ^ number ^ (number >>> 16), 0x9e3779b1) ^ (hash >>> 13),
    0x2545f491,
  );
}

const rotated = new Float64Array(4);
const matrix = new Float64Array(9);
const onA = vec3();
const onB = vec3();
const outwardA = vec3();
const outwardB = vec3();
const corner = vec3();
const core = createPair();
const UNTURNED = { scale: 1, quaternion: [0, 0, 0, 1] };
const NOWHERE = vec3();
const velocity = vec3();
const offset = vec3();
const across = vec3();

/**
 * A point of A and a point of B come to be in one place at some time: at the start in 15 % of the pairs, which then
 * overlap, within the duration in 45 %, after it or before the start in 10 % each; in the rest they miss each other by
 * up to the sum of the bounding radii. Until then they go once to five times that sum, so that few others overlap at
 * the start.
 */
function putPair(random: Random, { bodies, data, duration }: Chunk, index: number, [shapeA, shapeB]: number[]): void {
  const [a, b] = [2 * index, 2 * index + 1];
  bodies.shapes.set([shapeA, shapeB], a);
  bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * a);
  bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * b);
  const reach = data[shapeA].boundingRadius + data[shapeB].boundingRadius;
  const [time, miss] = meeting(random, duration);
  const way = (1 + spread(random, 4, 4)) * reach;
  setVector(unitVector(random, [0, 0, 0]), way / (Math.abs(time) || uniform(random, 0.2, 1) * duration), velocity);
  const spins = bodies.angularVelocities;
  if (spins) {
    // Some turn without going anywhere against each other, and in some one of the two doesn't turn.
    if (index % 16 === 5) set(0, 0, 0, velocity);
    for (const body of [a, b]) {
      const speed = random() < 0.85 ? uniform(random, 0, 4) / duration : 0;
      spins.set(
        unitVector(random, [0, 0, 0]).map((x) => speed * x),
        3 * body,
      );
    }
  }
  pointOf(random, bodies, data, a, time, reach, onA, outwardA);
  pointOf(random, bodies, data, b, time, reach, onB, outwardB);
  // A half-space can be come upon from one side alone.
  const isLeaving = dot(velocity, data[shapeA].kind === CORE_HALFSPACE ? outwardA : scale(outwardB, -1, outwardB)) > 0;
  if (isLeaving !== time < 0 && length(outwardA) + length(outwardB) > 0 && random() < 0.9)
    scale(velocity, -1, velocity);
  addScaled(onA, onB, -1, offset);
  addScaled(offset, setVector(unitVector(random, [0, 0, 0]), 1, across), miss * reach, offset);
  addScaled(offset, velocity, -time, offset);
  const speed = length(velocity) || reach / duration;
  const own = setVector(unitVector(random, [0, 0, 0]), speed * uniform(random, 0.1, 1.5), across);
  bodies.linearVelocities.set([own.x, own.y, own.z, own.x + velocity.x, own.y + velocity.y, own.z + velocity.z], 3 * a);
  const [x, y, z] = [0, 1, 2].map(() => Math.fround(uniform(random, -5, 5)));
  bodies.positions.set([x, y, z, x + offset.x, y + offset.y, z + offset.z], 3 * a);
}

/** When the points meet, and by what share of the bounding radii they miss each other. */
function meeting(random: Random, duration: number): [time: number, miss: number] {
  const chosen = random();
  if (chosen < 0.15) return [0, 0];
  const time = uniform(random, 0.1, 1) * duration;
  if (chosen < 0.6) return [time, 0];
  if (chosen < 0.7) return [time + duration, 0];
  if (chosen < 0.8) return [-time, 0];
  return [time, spread(random, 1, 6)];
}

/**
 * A point of a body from its origin, in world axes, as the body is turned at a time: between two of its corners and the
 * origin. Gives the normal of a half-space besides, of others zero.
 */
function pointOf(
  random: Random,
  bodies: MovingBodyArrays,
  data: ShapeData[],
  body: number,
  time: number,
  reach: number,
  to: Vec3,
  outward: Vec3,
): void {
  const shape = data[bodies.shapes[body]];
  const { kind, halfExtents, radius } = shape;
  const spin = bodies.angularVelocities?.subarray(3 * body, 3 * body + 3) ?? [0, 0, 0];
  turnedBy(set(spin[0], spin[1], spin[2], corner), time, bodies.quaternions.subarray(4 * body, 4 * body + 4), rotated);
  rotationMatrix(rotated, matrix);
  set(0, 0, 0, outward);
  if (kind === CORE_HALFSPACE) {
    transform(matrix, setVector([...halfExtents], 1, outward), outward);
    // Below the plane, somewhere beside the foot of its normal.
    setVector(unitVector(random, [0, 0, 0]), reach * uniform(random, 0, 2), to);
    addScaled(to, outward, radius - dot(outward, to) - reach * uniform(random, 0, 0.5), to);
    return;
  }
  makePair(shape, UNTURNED, shape, UNTURNED, NOWHERE, core);
  const share = uniform(random, 0, 1);
  const first = uniform(random, 0, 1);
  set(0, 0, 0, to);
  for (const part of [first, 1 - first]) {
    const [x, y, z] = unitVector(random, [0, 0, 0]);
    addScaled(to, vertex(core.coreA, support(core.coreA, x, y, z), corner), share * part * core.unit, to);
  }
  transform(matrix, to, to);
}

function setVector([x, y, z]: number[], factor: number, to: Vec3): Vec3 {
  return scale(set(x, y, z, to), factor, to);
}
