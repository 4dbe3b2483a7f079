/**
 * Depths of bodies of parts against brute force: solids of cubes, as meshes and as compounds, whose translations are
 * tried in many directions. No translation shorter than the depth separates them, and where the depth is exact, the one
 * that the clash names does.
 */

import { describe, expect, test } from 'vitest';
import { contact, createShape } from '../../../src/cpu.ts';
import type { Clash } from '../../../cli/clash/clash-report.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../../verification/families/random.ts';
import { atNight } from '../../helpers/night.ts';
import { clashOfTwo, type BodyGiven } from '../../helpers/clashes.ts';
import { compoundOf, meshOf, randomVoxels, type Voxels } from '../../helpers/voxels.ts';

const PAIRS = atNight(20, 80);
const DIRECTIONS = 60;
const TOLERANCE = 1e-4;
const CUBE = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });

interface Placed {
  voxels: Voxels;
  position: number[];
  quaternion: number[];
}

function turned([x, y, z, w]: readonly number[], [vx, vy, vz]: readonly number[]): number[] {
  const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/** The poses of all cubes. */
function cubesOf({ voxels, position, quaternion }: Placed, move: readonly number[] = [0, 0, 0]) {
  return voxels.map((cube) => {
    const centre = turned(
      quaternion,
      cube.map((x) => x + 0.5),
    );
    return { position: centre.map((x, k) => x + position[k] + move[k]), quaternion };
  });
}

/** How deep the deepest two cubes are in each other: above 0 where B, moved, still overlaps A. */
function depthAfter(a: Placed, b: Placed, move: readonly number[]): number {
  let depth = -Infinity;
  const moved = cubesOf(b, move);
  for (const p of cubesOf(a)) {
    for (const q of moved) {
      if (Math.hypot(...p.position.map((x, k) => x - q.position[k])) > 2) continue;
      depth = Math.max(depth, -contact(CUBE, p, CUBE, q).distance);
    }
  }
  return depth;
}

function randomPlaced(random: Random, spread: number): Placed {
  const position = Array.from({ length: 3 }, () => Math.fround(uniform(random, -spread, spread)));
  return {
    voxels: randomVoxels(random, 2 + Math.floor(uniform(random, 0, 6))),
    position,
    quaternion: normalised(unitVector(random, [0, 0, 0, 0]).map(Math.fround)),
  };
}

function normalised(q: number[]): number[] {
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

const FORMS = { mesh: meshOf, compound: compoundOf } as const;

function given({ voxels, position, quaternion }: Placed, form: keyof typeof FORMS): BodyGiven {
  return { shape: FORMS[form](voxels), position, quaternion };
}

const found: Clash[] = [];

const FORM_PAIRS = [
  ['mesh', 'mesh', 1],
  ['mesh', 'compound', 2],
  ['compound', 'mesh', 3],
  ['compound', 'compound', 4],
] as const;

/** Expects the clash of two solids to be what brute force says. */
async function expectTrue(a: Placed, b: Placed, forms: readonly (keyof typeof FORMS)[], random: Random, pair: string) {
  const clash = await clashOfTwo(given(a, forms[0]), given(b, forms[1]), { tolerance: TOLERANCE });
  const label = `${pair}: ${JSON.stringify(clash)}`;
  const truth = depthAfter(a, b, [0, 0, 0]);
  if (Math.abs(Math.abs(truth) - TOLERANCE) < 1e-5) return;
  expect(clash !== undefined, label).toBe(truth >= -TOLERANCE);
  if (!clash) return;
  expect(['overlap', 'contained', 'duplicate'].includes(clash.category), label).toBe(truth > TOLERANCE);
  const depth = -clash.distance;
  if (depth < 1e-3) return;
  found.push(clash);
  const along = clash.normal.map((x) => x * depth);
  const directions = [clash.normal, ...Array.from({ length: DIRECTIONS }, () => unitVector(random, [0, 0, 0]))];
  for (const direction of directions) {
    for (const share of [0.5, 0.99]) {
      const move = direction.map((x) => x * share * depth);
      expect(depthAfter(a, b, move), `${label}, moved by ${move.join(' ')}`).toBeGreaterThan(0);
    }
  }
  const left = depthAfter(a, b, along);
  if (clash.source === 'exact') expect(left, label).toBeLessThan(2e-5);
  else expect(left, label).toBeGreaterThan(0);
}

describe.each(FORM_PAIRS)('no translation shorter than the depth separates a %s and a %s', (formA, formB, seed) => {
  test('in any poses', async () => {
    const random = createRandom(seed);
    for (let n = 0; n < PAIRS; n++) {
      const [a, b] = [randomPlaced(random, 0), randomPlaced(random, 2)];
      await expectTrue(a, b, [formA, formB], random, `seed ${seed}, pair ${n}`);
    }
  });

  test('with faces in common planes', async () => {
    const random = createRandom(10 + seed);
    for (let n = 0; n < PAIRS; n++) {
      const [a, b] = [randomPlaced(random, 0), randomPlaced(random, 2)];
      const quaternion = n % 2 === 0 ? [0, 0, 0, 1] : a.quaternion;
      // Multiples of a quarter of a cube, along the axes that both have.
      const position = turned(
        quaternion,
        [0, 1, 2].map(() => (below(random, 17) - 8) / 4),
      );
      await expectTrue(
        { ...a, quaternion },
        { ...b, position, quaternion },
        [formA, formB],
        random,
        `seed ${10 + seed}, pair ${n}`,
      );
    }
  });
});

test('depths of both sources were among them', () => {
  expect(found.filter(({ source }) => source === 'exact').length).toBeGreaterThan(atNight(6, 25));
  expect(found.filter(({ source }) => source === 'bound').length).toBeGreaterThan(atNight(6, 25));
});
