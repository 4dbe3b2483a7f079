/** Categories at their limits. d: signed distance, t: tolerance, c: clearance. */

import { describe, expect, test } from 'vitest';
import type { MeshDescription, ShapeDescription } from '../../../src/api/shapes.ts';
import { checkScene, clashesOf, clashOfTwo, sceneOf } from '../../helpers/clashes.ts';

const [tolerance, clearance] = [2 ** -7, 2 ** -3];
const ball: ShapeDescription = { type: 'sphere', radius: 0.5 };
const box: ShapeDescription = { type: 'box', halfExtents: [0.5, 1, 1] };
const floor: ShapeDescription = { type: 'halfspace', normal: [0, 0, 1], offset: 0 };
const hull: ShapeDescription = {
  type: 'hull',
  points: [-0.5, 0.5].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z]))),
};
const compound: ShapeDescription = {
  type: 'compound',
  parts: [{ shape: box }, { shape: { type: 'sphere', radius: 0.25 } }],
};
const TINY = 2 ** -20;

describe.each<[string, ShapeDescription]>([
  ['a box', box],
  ['a hull', hull],
  ['a compound', compound],
])('%s and a ball', (_, shape) => {
  test.each([
    [clearance, undefined],
    [clearance - TINY, 'clearance'],
    [tolerance + TINY, 'clearance'],
    [tolerance, 'touching'],
    [0, 'touching'],
    [-tolerance, 'touching'],
    [-tolerance - TINY, 'overlap'],
    [-0.25, 'overlap'],
  ])('at %f', async (distance, category) => {
    const clash = await clashOfTwo(
      { shape },
      { shape: ball, position: [1 + distance, 0, 0] },
      { tolerance, clearance },
    );
    expect(clash?.category).toBe(category);
    if (!clash) return;
    expect(clash.source).toBe('exact');
    expect(Math.fround(clash.distance)).toBe(Math.fround(distance));
    expect(clash.normal[0]).toBe(1);
    expect(clash.point[0]).toBeCloseTo(0.5 + distance / 2, 6);
  });
});

test('without a clearance, gaps are not clashes', async () => {
  const a = { shape: box };
  expect(await clashOfTwo(a, { shape: ball, position: [1 + 2 * tolerance, 0, 0] }, { tolerance })).toBeUndefined();
});

function exactBallAt(x: number) {
  return clashOfTwo({ shape: box }, { shape: ball, position: [x, 0, 0] }, { tolerance: 0 });
}

test('with a tolerance of 0, only pairs at distance 0 are touching', async () => {
  expect((await exactBallAt(1))?.category).toBe('touching');
  expect((await exactBallAt(1 - TINY))?.category).toBe('overlap');
  expect(await exactBallAt(1 + TINY)).toBeUndefined();
});

describe('on a half-space', () => {
  test.each<[string, ShapeDescription, number]>([
    ['a box', { type: 'box', halfExtents: [1, 1, 0.5] }, 0.5],
    ['a ball', ball, 0.5],
    ['a compound', { type: 'compound', parts: [{ shape: ball, position: [0, 0, 0.5] }, { shape: ball }] }, 0.5],
    ['an open mesh', { type: 'mesh', positions: [0, 0, -0.5, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] }, 0.5],
  ])('%s touches, overlaps, and is contained when its top is below', async (_, shape, reach) => {
    const at = async (z: number) => {
      const clash = await clashOfTwo({ shape: floor }, { shape, position: [0, 0, z] }, { tolerance, clearance });
      return clash && [clash.category, clash.inside, clash.distance, clash.source, clash.normal.join()];
    };
    expect(await at(reach + clearance)).toBeUndefined();
    expect(await at(reach + 0.0625)).toEqual(['clearance', undefined, 0.0625, 'exact', '0,0,1']);
    expect(await at(reach - tolerance)).toEqual(['touching', undefined, -tolerance, 'exact', '0,0,1']);
    expect(await at(reach - 0.25)).toEqual(['overlap', undefined, -0.25, 'exact', '0,0,1']);
    expect(await at(-2)).toEqual(['contained', 'b', -2 - reach, 'exact', '0,0,1']);
  });

  test('the normal goes from A to B', async () => {
    const clash = await clashOfTwo({ shape: ball }, { shape: floor }, { tolerance });
    expect(clash).toMatchObject({ category: 'overlap', distance: -0.5, normal: [0, 0, -1], point: [0, 0, -0.25] });
  });

  test('two half-spaces are not candidates, and are refused if they are listed', async () => {
    const bodies = [{ shape: floor }, { shape: floor, position: [0, 0, -1] }, { shape: ball, position: [0, 0, 0.25] }];
    const clashes = await clashesOf(await checkScene(sceneOf(bodies)));
    expect(clashes.map(({ a, b }) => [a, b])).toEqual([['body 0', 'body 2']]);
    await expect(checkScene(sceneOf(bodies, [[1, 0]]))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'pairs[0] is ["body 0","body 1"], expected at least one bounded body: two half-spaces have no distance',
    });
  });
});

describe('duplicates', () => {
  test.each<[string, ShapeDescription, ShapeDescription]>([
    ['two balls', ball, ball],
    ['a ball and an ellipsoid of equal radii', ball, { type: 'ellipsoid', radii: [0.5, 0.5, 0.5] }],
    ['a box and its hull', box, hull],
    ['a capsule without length and a ball', { type: 'capsule', halfHeight: 0, radius: 0.5 }, ball],
    ['a compound of one ball and the ball', { type: 'compound', parts: [{ shape: ball }] }, ball],
    ['a box as a mesh and the box', boxMesh(), box],
  ])('%s', async (_, a, b) => {
    for (const [share, category] of [
      [0, 'duplicate'],
      [0.9, 'duplicate'],
      [1.1, 'overlap'],
    ] as const) {
      const clash = await clashOfTwo({ shape: a }, { shape: b, position: [share * tolerance, 0, 0] }, { tolerance });
      expect(clash?.category, `moved by ${share} tolerances`).toBe(category);
      expect(clash?.distance).toBeCloseTo(share * tolerance - 1, 5);
    }
  });

  test('flat bodies in one place are duplicates of depth 0', async () => {
    const sheet: ShapeDescription = { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] };
    expect(await clashOfTwo({ shape: sheet }, { shape: sheet })).toMatchObject({ category: 'duplicate', distance: 0 });
  });

  test('a body and a copy of it less than the tolerance away are duplicates, not touching', async () => {
    const speck: ShapeDescription = { type: 'sphere', radius: tolerance / 8 };
    const clash = await clashOfTwo({ shape: speck }, { shape: speck, position: [tolerance / 2, 0, 0] }, { tolerance });
    expect(clash).toMatchObject({ category: 'duplicate', distance: tolerance / 4 });
  });
});

/** The mesh of `box`. */
function boxMesh(): MeshDescription {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 0.5 : -0.5, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { type: 'mesh', positions, indices: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) };
}

test('scales, rotations and 64-bit positions change nothing', async () => {
  const far = [1e8, -3e7, 5e6];
  const given = { tolerance, clearance };
  const near = await clashOfTwo({ shape: box }, { shape: ball, position: [0.875, 0, 0] }, given);
  const moved = await clashOfTwo(
    { shape: box, position: far, quaternion: [0, 0, 2, 2], scale: 2 },
    { shape: ball, position: [far[0], far[1] + 1.75, far[2]], scale: 2 },
    given,
  );
  expect(moved).toMatchObject({ category: near!.category, distance: 2 * near!.distance });
  expect(moved!.normal[1]).toBeCloseTo(1, 6);
});

test('a scene without bodies has no clashes', async () => {
  const report = await checkScene(sceneOf([]));
  expect(await clashesOf(report)).toEqual([]);
  expect(report.header).toMatchObject({ count: 0, candidatePairs: 0, check: { passed: true } });
});

test('listed pairs are sorted, with repeated ones once and a before b', async () => {
  const bodies = [0, 1, 2].map((x) => ({ shape: ball, position: [x / 2, 0, 0] }));
  const report = await checkScene(
    sceneOf(bodies, [
      [2, 1],
      [1, 0],
      [1, 2],
    ]),
  );
  const clashes = await clashesOf(report);
  expect(clashes.map(({ bodyA, bodyB }) => [bodyA, bodyB])).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test('listed pairs of meshes are measured as those of the broad phase', async () => {
  const { positions, indices } = boxMesh();
  // Without its last triangle it is open.
  const open: ShapeDescription = { type: 'mesh', positions, indices: Array.from(indices).slice(0, -3) };
  const bodies = [{ shape: open }, { shape: ball, position: [0.875, 0.25, 0.25] }];
  const listed = await clashesOf(await checkScene(sceneOf(bodies, [[0, 1]])));
  const found = await clashesOf(await checkScene(sceneOf(bodies)));
  expect(listed).toEqual(found);
  expect(found.length).toBe(1);
});
