/**
 * Validation with its screens and without them gives the same verdict and the same message, for numbers at all limits;
 * and packing bodies says the same of them.
 */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { GREATEST_SIZE, MOTION_MOST_TURN } from '../../src/generated/constants.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import * as screens from '../../src/records/screens.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { checkPairs } from '../../src/request/validate-bodies.ts';
import { readMotion } from '../../src/request/validate-motion.ts';
import { createShapeTable, type ShapeTable } from '../../src/shapes/shape-table.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

const state = vi.hoisted(() => ({ isOn: true }));

// A screen that always fails leaves the verdict to the loops that name elements.
vi.mock('../../src/records/screens.ts', async (importOriginal) => {
  const real = await importOriginal<Record<string, (...parameters: unknown[]) => boolean>>();
  const screened = Object.entries(real).map(([name, screen]) => [
    name,
    name.startsWith('are') ? (...parameters: unknown[]) => state.isOn && screen(...parameters) : screen,
  ]);
  return Object.fromEntries(screened) as object;
});

beforeEach(() => {
  state.isOn = true;
});

const SEED = 20_261_204;
const ROUNDS = 3000;
const COUNT = 7;

const words = new Uint32Array(1);
const floats = new Float32Array(words.buffer);

function floatOf(bits: number): number {
  words[0] = bits;
  return floats[0];
}

/** The f32 numbers around one: nearest, below and above. */
function around(value: number): number[] {
  floats[0] = value;
  const bits = words[0];
  return [bits - 1, bits, bits + 1].flatMap((near) => [floatOf(near), -floatOf(near)]);
}

const SMALL = [0, -0, floatOf(1), -floatOf(1), floatOf(0x7f_ffff), floatOf(0x80_0000), 2 ** -100, 1, -1];
const HUGE = [...around(3.4028234663852886e38).filter(Number.isFinite), Infinity, -Infinity, NaN];
const POSITIONS = [...SMALL, ...HUGE, ...around(1e30)];
const ROTATIONS = [...SMALL, ...HUGE, ...around(1e-6), ...around(5e-7), ...around(2 ** 64)];
const SCALES = [...SMALL, ...HUGE, ...around(GREATEST_SIZE), ...around(GREATEST_SIZE / 3), ...around(0.1)];
const EXTENTS = [0, 0.3, 1, 3, GREATEST_SIZE];
const ANGULAR = [...SMALL, ...HUGE, ...around(MOTION_MOST_TURN), ...around(MOTION_MOST_TURN / Math.sqrt(3))];
const DURATIONS = [0, 1e-40, 1e-6, 0.5, 1, 3, 1e38, Infinity];

/** Numbers in range, of which some are replaced by special ones. */
function sample(
  random: () => number,
  length: number,
  special: readonly number[],
  usual = () => uniform(random, 0.25, 1),
): Float32Array {
  const often = [0, 0, 0.02, 0.3][Math.floor(uniform(random, 0, 4))];
  const array = Float32Array.from({ length }, () =>
    random() < often ? special[Math.floor(uniform(random, 0, special.length))] : usual(),
  );
  // NaN with other bits: a float would lose them.
  const bits = new Uint32Array(array.buffer);
  for (let i = 0; i < length; i++) if (Number.isNaN(array[i])) bits[i] = [0x7f80_0001, 0xffc0_0000, 0x7fff_ffff][i % 3];
  return array;
}

/** What a function throws; undefined if nothing. */
function messageOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same verdict and message with screens and without. Returns the message. */
function agreed(seed: number, act: () => void): string | undefined {
  state.isOn = true;
  const screened = messageOf(act);
  state.isOn = false;
  const named = messageOf(act);
  state.isOn = true;
  expect(screened, `seed ${seed}`).toBe(named);
  return named;
}

function tableOf(random: () => number): ShapeTable {
  const shapes = EXTENTS.map((extent, i) =>
    i > 0 && random() < 0.1 ? undefined : { kind: 1, boundingRadius: extent, extent, takesSat: false },
  );
  const isSnapshot = random() < 0.5;
  return { ...createShapeTable(), shapes, idCount: isSnapshot ? shapes.length - 1 : undefined };
}

function shapesOf(random: () => number): Uint32Array {
  const isWild = random() < 0.3;
  const ids = [EXTENTS.length - 1, EXTENTS.length, 0xffff_ffff];
  return Uint32Array.from({ length: COUNT }, () =>
    isWild && random() < 0.2 ? ids[Math.floor(uniform(random, 0, 3))] : Math.floor(uniform(random, 0, 4)),
  );
}

describe.each([dimension3, dimension2] as unknown as Dimension[])('dimension $dimension', (dimension) => {
  const axes = dimension.dimension;

  const bodiesOf = (random: () => number): AnyBodies => {
    const positions = sample(random, axes * COUNT, POSITIONS);
    const rotations = sample(random, (axes === 3 ? 4 : 1) * COUNT, ROTATIONS);
    return {
      shapes: shapesOf(random),
      positions: random() < 0.3 ? Float64Array.from(positions, (x) => x * (1 + 2 ** -52)) : positions,
      ...(axes === 3 ? { quaternions: rotations } : { angles: rotations }),
      ...(random() < 0.6 && { scales: sample(random, COUNT, SCALES) }),
    } as unknown as AnyBodies;
  };

  test('bodies', () => {
    const found = { valid: 0, invalid: 0 };
    for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
      const random = createRandom(seed);
      const table = tableOf(random);
      const bodies = bodiesOf(random);
      const isRefused = agreed(seed, () => dimension.readBodies(bodies, table).check()) !== undefined;
      found[isRefused ? 'invalid' : 'valid']++;
      // Poses alone: shapes and scales that are valid.
      const poses = { ...bodies, shapes: new Uint32Array(COUNT), scales: undefined } as unknown as AnyBodies;
      const isPosed = messageOf(() => dimension.readBodies(poses, table).check()) === undefined;
      expect(screens.arePoses(poses as never, table), `seed ${seed}`).toBe(isPosed);
    }
    expect(found.valid).toBeGreaterThan(ROUNDS / 10);
    expect(found.invalid).toBeGreaterThan(ROUNDS / 10);
  });

  test('velocities', () => {
    const found = { valid: 0, invalid: 0 };
    const { angularComponents } = dimension;
    for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
      const random = createRandom(seed);
      const duration = DURATIONS[Math.floor(uniform(random, 0, DURATIONS.length))];
      const linearVelocities = sample(random, axes * COUNT, POSITIONS);
      const angularVelocities = sample(random, angularComponents * COUNT, ANGULAR);
      const velocities = { linearVelocities, angularVelocities } as never;
      const message = agreed(seed, () => readMotion(velocities, duration, COUNT, dimension).check());
      found[message === undefined ? 'valid' : 'invalid']++;
    }
    expect(found.valid).toBeGreaterThan(ROUNDS / 10);
    expect(found.invalid).toBeGreaterThan(ROUNDS / 10);
  });
});

test('pairs', () => {
  const found = { valid: 0, invalid: 0 };
  for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
    const random = createRandom(seed);
    const special = [COUNT - 1, COUNT, COUNT + 1, 0x8000_0000, 0xffff_ffff];
    const isWild = random() < 0.5;
    const pairs = Uint32Array.from({ length: 2 * COUNT }, () =>
      isWild && random() < 0.1
        ? special[Math.floor(uniform(random, 0, special.length))]
        : Math.floor(uniform(random, 0, COUNT)),
    );
    found[agreed(seed, () => checkPairs(pairs, COUNT)) === undefined ? 'valid' : 'invalid']++;
  }
  expect(found.valid).toBeGreaterThan(ROUNDS / 10);
  expect(found.invalid).toBeGreaterThan(ROUNDS / 10);
});

describe('each screen', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('coordinates: a wrong one at any place among %d', (length) => {
    for (let at = 0; at < length; at++) {
      for (const value of POSITIONS) {
        const isValid = Math.abs(Math.fround(value)) <= 1e30;
        const numbers = new Float32Array(length).fill(1);
        numbers[at] = value;
        expect(screens.areCoordinates(numbers), `${value} at ${at}`).toBe(isValid);
        expect(screens.areCoordinates(Float64Array.from(numbers)), `${value} at ${at}`).toBe(isValid);
      }
    }
  });

  test('quaternions: the last one of a few', () => {
    for (const value of ROTATIONS) {
      const squared = Math.fround(value) ** 2;
      const isValid = squared >= 1e-6 * 1e-6 && squared < Infinity;
      expect(screens.areQuaternions(Float32Array.of(1, 0, 0, 0, 0, value, 0, -0)), `${value}`).toBe(isValid);
    }
  });

  test('scales that pass leave every size within the limit, and usual ones pass', () => {
    for (const extent of EXTENTS) {
      const table = { ...createShapeTable(), shapes: [{ kind: 1, boundingRadius: 1, extent, takesSat: false }] };
      for (const scale of [...SCALES, ...around(GREATEST_SIZE / Math.max(extent, 1))]) {
        if (!screens.areScales(Float32Array.of(1, scale), table)) continue;
        expect(scale > 0 && Math.fround(Math.fround(extent) * Math.fround(scale)) <= Math.fround(GREATEST_SIZE)).toBe(
          true,
        );
      }
    }
    const small = { ...createShapeTable(), shapes: [{ kind: 1, boundingRadius: 3, extent: 3, takesSat: false }] };
    expect(screens.areScales(Float32Array.of(1, 1e-30, 1e14), small)).toBe(true);
  });
});
