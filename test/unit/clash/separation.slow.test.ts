/**
 * Depths of bodies of parts against brute force: solids of cubes, as meshes and as compounds, whose translations are
 * tried in many directions. No translation shorter than the depth separates them, and where the depth is exact, the one
 * that the clash names does.
 */

import { expect, test } from 'vitest';
import { contact, createShape } from '../../../src/cpu.ts';
import type { Clash } from '../../../src/cli/clash/clash-report.ts';
import { createRandom, uniform, unitVector, type Random } from '../../../verification/families/random.ts';
import { clashOfTwo, type BodyGiven } from '../../helpers/clashes.ts';
import { compoundOf, meshOf, randomVoxels, type Voxels } from '../../helpers/voxels.ts';

const PAIRS = 80;
const DIRECTIONS = 60;
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

test.each([
  ['mesh', 'mesh', 1],
  ['mesh', 'compound', 2],
  ['compound', 'mesh', 3],
  ['compound', 'compound', 4],
] as const)('no translation shorter than the depth separates a %s and a %s', async (formA, formB, seed) => {
  const random = createRandom(seed);
  for (let n = 0; n < PAIRS; n++) {
    const [a, b] = [randomPlaced(random, 0), randomPlaced(random, 2)];
    const clash = await clashOfTwo(given(a, formA), given(b, formB), { tolerance: 1e-4 });
    const label = `seed ${seed}, pair ${n}: ${JSON.stringify(clash)}`;
    const truth = depthAfter(a, b, [0, 0, 0]);
    if (Math.abs(truth - 1e-4) < 1e-5 || Math.abs(truth + 1e-4) < 1e-5) continue;
    expect(clash !== undefined, label).toBe(truth >= -1e-4);
    if (!clash || clash.distance > -1e-3) continue;
    found.push(clash);
    expect(['overlap', 'contained'], label).toContain(clash.category);
    const depth = -clash.distance;
    const along = clash.normal.map((x) => x * depth);
    const directions = [
      along.map((x) => x / depth),
      ...Array.from({ length: DIRECTIONS }, () => unitVector(random, [0, 0, 0])),
    ];
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
});

test('depths of both sources were among them', () => {
  expect(found.filter(({ source }) => source === 'exact').length).toBeGreaterThan(25);
  expect(found.filter(({ source }) => source === 'bound').length).toBeGreaterThan(25);
});
