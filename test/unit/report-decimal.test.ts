import { expect, test } from 'vitest';
import { shortestOfF32 } from '../../cli/report/decimal.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

/** The first of 1, 2, 3... digits that rounds to the same f32. */
function byTrial(x: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Math.fround(short) === x) return short;
  }
  return Number(x.toPrecision(9));
}

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** Numbers of f32s by `next` whose shortest decimal is another than that by trial. */
function differing(count: number, next: (i: number) => void): number[] {
  const found = [];
  for (let i = 0; i < count; i++) {
    next(i);
    const x = float[0];
    if (!Object.is(shortestOfF32(x), byTrial(x))) found.push(x);
  }
  return found;
}

test.each([
  [0.1, 0.1],
  [-0.6543217, -0.6543217],
  [1e-45, 1e-45],
  [1.17549435e-38, 1.1754944e-38],
  [3.4028235e38, 3.4028235e38],
  [16777216, 16777216],
  [2 ** -20, 9.536743e-7],
  [1 / 3, 0.33333334],
  [123456.789, 123456.79],
])('the f32 next to %d is written as %d', (x, decimal) => {
  expect(shortestOfF32(Math.fround(x))).toBe(decimal);
});

test('negative zero is written as 0', () => {
  expect(shortestOfF32(-0)).toBe(0);
});

test('around every power of two, subnormal ones included', () => {
  const mantissas = [0, 1, 2, 3, 0x3fffff, 0x400000, 0x400001, 0x7ffffd, 0x7ffffe, 0x7fffff];
  expect(
    differing(
      2 * 255 * 10,
      (i) => (bits[0] = ((i & 1) << 31) | (((i >> 1) % 255) << 23) | mantissas[Math.floor(i / 510)]),
    ),
  ).toEqual([]);
});

test.each([
  ['any bits', (random: () => number) => void (bits[0] = uniform(random, 0, 2 ** 32))],
  ['unit vectors', (random: () => number) => void (float[0] = uniform(random, -1, 1))],
  ['subnormal numbers', (random: () => number) => void (bits[0] = uniform(random, 0, 2 ** 23))],
  [
    'decimals of a few digits',
    (random: () => number) =>
      void (float[0] = Math.round(uniform(random, -1e7, 1e7)) / 10 ** Math.floor(uniform(random, 0, 12))),
  ],
  [
    'binary fractions, which lie between two decimals',
    (random: () => number) =>
      void (float[0] = Math.round(uniform(random, -1e7, 1e7)) / 2 ** Math.floor(uniform(random, 0, 20))),
  ],
  ['coordinates up to a million', (random: () => number) => void (float[0] = uniform(random, -1e6, 1e6))],
])('the shortest decimal of %s is the one by trial (seed 5)', (_, next) => {
  const random = createRandom(5);
  // NaN and infinities are no numbers of a report.
  const finite = () => {
    do next(random);
    while (!Number.isFinite(float[0]));
  };
  expect(differing(atNight(100_000, 300_000), finite)).toEqual([]);
});
