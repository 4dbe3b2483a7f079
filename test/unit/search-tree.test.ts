/** What a ray or a half-space finds in a tree of boxes, and how much of the tree it looks at. */
import { expect, test } from 'vitest';
import {
  createBoxRay,
  createRayWalk,
  entryTime,
  setBoxRay,
  startRayWalk,
  walkAlongRay,
} from '../../src/broad-phase/box-rays.ts';
import { buildBoxTree } from '../../src/broad-phase/box-tree.ts';
import { ALL_GROUPS } from '../../src/broad-phase/filters.ts';
import { searchTree, type Seeker } from '../../src/broad-phase/search-tree.ts';
import { createPace, finish } from '../../src/util/turns.ts';
import type { CollisionFilters } from '../../src/api/types.ts';
import { createRandom, unitVector, uniform } from '../../verification/families/random.ts';
import { BOX_FAMILIES, makeBoxes } from '../helpers/boxes.ts';

/** The bodies found, in ascending order, and how many boxes were tested. */
function find(boxes: Float64Array, filters: CollisionFilters, seeker: Seeker): { found: number[]; tests: number } {
  const found: number[] = [];
  let tests = 0;
  const counted: Seeker = {
    ...seeker,
    meets(given, at) {
      tests++;
      return seeker.meets(given, at);
    },
  };
  finish(searchTree(finish(buildBoxTree(boxes, filters)), counted, (body) => found.push(body), createPace()));
  return { found: found.sort((a, b) => a - b), tests };
}

/** Whether a ray from `o` along `d` meets a box, by the times at which it crosses each of the six planes. */
function crosses(box: Float64Array, o: readonly number[], d: readonly number[]): boolean {
  const times = [0];
  for (let k = 0; k < 3; k++) times.push((box[k] - o[k]) / d[k], (box[k + 3] - o[k]) / d[k]);
  return times.some((time) => {
    const place = o.map((x, k) => x + time * d[k]);
    return time >= 0 && place.every((x, k) => x >= box[k] - 1e-9 && x <= box[k + 3] + 1e-9);
  });
}

test.each(Object.entries(BOX_FAMILIES))('a ray finds all boxes that it crosses: %s', (_, family) => {
  const random = createRandom(31);
  const boxes = makeBoxes(family, 2000, random);
  let crossed = 0;
  for (let ray = 0; ray < 40; ray++) {
    // Towards the centre of a box.
    const towards = [0, 1, 2].map((k) => (boxes[6 * ray + k] + boxes[6 * ray + 3 + k]) / 2);
    const directions = unitVector(random, [0, 0, 0]);
    const length = uniform(random, 0, 50);
    const origins = towards.map((x, k) => x - length * directions[k]);
    const boxRay = setBoxRay(3, { origins, directions }, 0, createBoxRay());
    const known = new Set<number>();
    const visit = (body: number): number => {
      known.add(body);
      return Infinity;
    };
    const tree = finish(buildBoxTree(boxes));
    const walk = createRayWalk();
    startRayWalk(tree, boxRay, walk);
    while (!walkAlongRay(tree, boxRay, ALL_GROUPS, visit, walk));
    for (let i = 0; i < 2000; i++) {
      if (!crosses(boxes.subarray(6 * i, 6 * i + 6), origins, directions)) continue;
      crossed++;
      if (!known.has(i)) expect.fail(`ray ${ray} does not find box ${i}`);
    }
  }
  expect(crossed).toBeGreaterThanOrEqual(40);
});

test('far from the origin a ray passes boxes that are a little beside it', () => {
  const far = 1e7;
  const box = Float64Array.of(far, far, far, far + 1, far + 1, far + 1);
  const passes = (beside: number): boolean =>
    entryTime(
      setBoxRay(3, { origins: [far - 5, far + 1 + beside, far], directions: [1, 0, 0] }, 0, createBoxRay()),
      box,
      0,
      Infinity,
    ) < Infinity;
  expect(passes(0)).toBe(true);
  expect(passes(1e-4)).toBe(false);
});

test('no box of a node without bodies for the seeker is tested', () => {
  const boxes = new Float64Array(6 * 1000).fill(1);
  const groups = new Uint32Array(1000).fill(0x0001_0001);
  const seeker = { groups: 0x0002_ffff, isFixed: false, meets: () => true };
  expect(find(boxes, { groups }, seeker)).toEqual({ found: [], tests: 0 });
  expect(find(boxes, { groups }, { ...seeker, groups: 0x0001_ffff }).found.length).toBe(1000);
  const fixed = new Uint8Array(1000).fill(1);
  expect(find(boxes, { fixed }, { ...seeker, isFixed: true })).toEqual({ found: [], tests: 0 });
  expect(find(boxes, { fixed }, seeker).found.length).toBe(1000);
});
