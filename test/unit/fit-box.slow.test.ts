/** `fitBox` against a search of its own kind: many orientations all over, the best of them turned at random. */
import { expect, test } from 'vitest';
import { fitBox } from '../../src/index.ts';
import { createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { rotationMatrix } from '../../verification/oracle/shape.ts';
import { fittedVolume, turnedBox } from '../helpers/fitted-box.ts';
import { atNight } from '../helpers/night.ts';

const ORIENTATIONS = 20_000;
const POLISHED = 10;
const TURNS = 1_500;

/** Edge lengths, multiplied, of the box with these axes around points. */
function volumeAt(points: ArrayLike<number>, quaternion: ArrayLike<number>): number {
  const m = rotationMatrix(quaternion);
  let volume = 1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const along = m[axis] * points[i] + m[3 + axis] * points[i + 1] + m[6 + axis] * points[i + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    volume *= high - low;
  }
  return volume;
}

/** The least volume of boxes in many orientations, the best of which are turned by ever smaller random angles. */
function leastVolume(points: ArrayLike<number>, random: Random): number {
  const tried = Array.from({ length: ORIENTATIONS }, () => {
    const quaternion = unitVector(random, [0, 0, 0, 0]);
    return { quaternion, volume: volumeAt(points, quaternion) };
  }).sort((a, b) => a.volume - b.volume);
  let least = Infinity;
  for (let { quaternion, volume } of tried.slice(0, POLISHED)) {
    for (let turn = 0; turn < TURNS; turn++) {
      const size = 0.1 * 0.99 ** turn;
      const next = quaternion.map((part) => part + size * uniform(random, -1, 1));
      const nextVolume = volumeAt(points, next);
      if (nextVolume < volume) [quaternion, volume] = [next, nextVolume];
    }
    least = Math.min(least, volume);
  }
  return least;
}

const sphere = (random: Random): number[] => unitVector(random, [0, 0, 0]);

/** Clouds of points by family. */
const FAMILIES: Record<string, (random: Random) => number[]> = {
  'four points': (random) => Array.from({ length: 4 }, () => sphere(random)).flat(),
  'eight points': (random) => Array.from({ length: 8 }, () => sphere(random)).flat(),
  'forty points': (random) => Array.from({ length: 40 }, () => sphere(random)).flat(),
  'an ellipsoid': (random) =>
    Array.from({ length: 60 }, () => sphere(random).map((x, axis) => x * [3, 2, 0.5][axis])).flat(),
  'a turned box': (random) => turnedBox(random, [1, uniform(random, 0.1, 1), uniform(random, 0.01, 1)]).points,
  'a prism': (random) => {
    const sides = 3 + Math.floor(5 * random());
    const angle = (i: number): number => (2 * Math.PI * i) / sides;
    return [-1, 1].flatMap((y) =>
      Array.from({ length: sides }, (_, i) => [Math.cos(angle(i)), y * 0.7, Math.sin(angle(i))]).flat(),
    );
  },
  'two boxes, crossed': (random) => [
    ...turnedBox(random, [2, 0.2, 0.2]).points,
    ...turnedBox(random, [2, 0.2, 0.2]).points,
  ],
  'a thin sheet': (random) =>
    Array.from({ length: 30 }, () => sphere(random).map((x, k) => (k === 1 ? 1e-3 * x : x))).flat(),
};

const PER_FAMILY = atNight(4, 8);

test('no box is more than 10 % larger than the least one that a long search finds, half of them not 2 %', () => {
  const random = createRandom(25);
  const ratios = Object.entries(FAMILIES).flatMap(([name, cloud]) =>
    Array.from({ length: PER_FAMILY }, () => {
      const points = cloud(random);
      return { name, ratio: fittedVolume(fitBox(points)) / leastVolume(points, random) };
    }),
  );
  const sorted = ratios.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const median = sorted[sorted.length / 2];
  const worst = sorted[sorted.length - 1];
  console.log(
    `fitBox over a long search, volumes of ${sorted.length} clouds: median ${median.toFixed(5)}, worst ${worst.toFixed(5)}`,
  );
  expect(median).toBeLessThanOrEqual(1.02);
  expect(worst).toBeLessThanOrEqual(1.1);
}, 120_000);
