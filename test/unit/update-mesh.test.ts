/** `tester.updateMesh`: answers are those of a tester that has had the moved meshes from the beginning. */
import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { meshTree, rayTree } from '../../src/bvh/mesh-tree.ts';
import { finish } from '../../src/util/turns.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { makeSheet } from '../helpers/meshes.ts';
import {
  answersAbout,
  makeScene,
  moveMeshes,
  positionsAt,
  SEED,
  turningTimes,
  useMeshes,
} from '../helpers/moving-meshes.ts';
import { answersOf } from '../helpers/planar-tester.ts';

const create = (): Promise<Tester> => createTester({ backend: 'cpu', threads: 1 });

async function freshAnswers(moment: number): Promise<Record<string, unknown>> {
  using tester = await create();
  useMeshes(tester, moment);
  return await answersAbout(tester);
}

test('every query finds moved meshes as a tester that was given them, and back where they were, as at first', async () => {
  using tester = await create();
  useMeshes(tester, 0);
  const first = await answersAbout(tester);
  for (const moment of [1, 0]) {
    moveMeshes(tester, moment);
    const moved = await answersAbout(tester);
    const expected = moment === 0 ? first : await freshAnswers(moment);
    for (const [name, answer] of Object.entries(expected)) expect(moved[name], `${name} at ${moment}`).toEqual(answer);
    expect(moved.contacts === first.contacts).toBe(false);
  }
});

test('rotating bodies meet moved meshes when they meet those of a tester that was given them', async () => {
  using tester = await create();
  useMeshes(tester, 0);
  const first = await turningTimes(tester);
  moveMeshes(tester, 1);
  const moved = await turningTimes(tester);
  using fresh = await create();
  useMeshes(fresh, 1);
  const expected = await turningTimes(fresh);
  expect(moved.filter((time) => Number.isFinite(time)).length).toBeGreaterThan(10);
  expect(moved).not.toEqual(first);
  for (const [pair, time] of expected.entries())
    if (moved[pair] !== time) expect(Math.abs(moved[pair] - time), `pair ${pair}, seed ${SEED}`).toBeLessThan(1e-5);
});

test('meshes that move before they are asked about are found where they are', async () => {
  using tester = await create();
  useMeshes(tester, 0);
  moveMeshes(tester, 2);
  moveMeshes(tester, 1);
  expect(await answersAbout(tester)).toEqual(await freshAnswers(1));
});

test('a query that was called before finds the meshes as they were', async () => {
  using tester = await create();
  const { bodies, pairs } = makeScene();
  const ask = async (): Promise<unknown> => answersOf(await tester.contacts(bodies, pairs, { results: 'hits' }));
  useMeshes(tester, 0);
  const first = await ask();
  moveMeshes(tester, 1);
  const second = await ask();
  expect(second).not.toEqual(first);
  moveMeshes(tester, 0);
  const running = [ask()];
  moveMeshes(tester, 1);
  running.push(ask());
  moveMeshes(tester, 0);
  running.push(ask());
  expect(await Promise.all(running)).toEqual([first, second, first]);
});

test('a handle of bodies and a capture have the mesh as it is', async () => {
  using tester = await create();
  const { bodies, pairs } = makeScene();
  useMeshes(tester, 0);
  using handle = tester.createBodies(bodies);
  await tester.findPairs(handle);
  moveMeshes(tester, 1);
  expect(await tester.findPairs(handle)).toEqual(await tester.findPairs(bodies));
  expect(answersOf(await tester.contacts(handle, pairs))).toEqual(answersOf(await tester.contacts(bodies, pairs)));
  const { shapes } = await tester.capture(bodies, pairs, 0, { query: 'distances' });
  expect(shapes[0]).toMatchObject({ type: 'mesh', positions: Array.from(positionsAt(0, 1)) });
});

describe('what is refused', () => {
  const mesh = { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] } as const;
  const cases: [name: string, id: number, positions: unknown, message: RegExp][] = [
    ['an id that no shape has', 7, mesh.positions, /^id is 7, expected the id of a shape that was added$/],
    ['a fraction', 0.5, mesh.positions, /^id is 0.5, expected the id of a shape/],
    ['a sphere', 1, mesh.positions, /^id is 1, expected the id of a mesh$/],
    ['a vertex less', 0, [0, 0, 0, 1, 0, 0], /^positions\.length is 6, expected x, y, z of the mesh's 3 vertices/],
    ['a number more', 0, new Float32Array(10), /^positions\.length is 10, expected .* array of 9 numbers$/],
    ['no array', 0, 'abc', /^positions is "abc", expected x, y, z/],
    ['nothing', 0, undefined, /^positions is undefined, expected x, y, z/],
    ['NaN', 0, [0, 0, 0, 1, NaN, 0, 0, 1, 0], /^positions\[4\] is NaN, expected a finite number/],
    ['infinity', 0, [0, 0, 0, 1, 0, 0, 0, 1, Infinity], /^positions\[8\] is Infinity, expected a finite number/],
    ['more than f32 holds', 0, [1e39, 0, 0, 1, 0, 0, 0, 1, 0], /^positions\[0\] is 1e\+39, expected a finite number/],
    ['a mesh that is too large', 0, [9e14, 9e14, 9e14, 1, 0, 0, 0, 1, 0], /^the bounding radius of positions is/],
  ];

  test.each(cases)('%s', async (_, id, positions, message) => {
    using tester = await create();
    tester.addShape(mesh);
    tester.addShape({ type: 'sphere', radius: 1 });
    const before = tester.shapeGeometry(0);
    const update = (): void => tester.updateMesh(id, positions as number[]);
    expect(update).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) }),
    );
    expect(tester.shapeGeometry(0)).toEqual(before);
  });

  test('a tester of 2-D, a removed mesh, and a tester that was disposed', async () => {
    using plane = await createTester({ backend: 'cpu', dimension: 2 });
    plane.addShape({ type: 'chain', points: [0, 0, 1, 0] });
    expect(() => (plane as unknown as Tester).updateMesh(0, [0, 0, 1, 1])).toThrowError(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: 'options.dimension is 2, expected 3 for updateMesh: a chain is removed and added with its new points',
      }),
    );
    const tester = await create();
    tester.removeShape(tester.addShape(mesh));
    expect(() => tester.updateMesh(0, mesh.positions)).toThrowError(/^id is 0, expected the id of a shape/);
    tester.dispose();
    expect(() => tester.updateMesh(0, mesh.positions)).toThrowError(expect.objectContaining({ code: 'DISPOSED' }));
  });

  test("triangles of a mesh with sides 'front' that moving turns against each other", async () => {
    using tester = await create();
    // Two triangles of four vertices of their own. Only where they share an edge they are against each other.
    const flat = [0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 0, 4, 0, 0, 3, -1, 0];
    const id = tester.addShape({ type: 'mesh', positions: flat, indices: [0, 1, 2, 3, 4, 5], sides: 'front' });
    const ball = tester.addShape({ type: 'sphere', radius: 1 });
    const bodies = {
      shapes: Uint32Array.of(id, ball),
      positions: new Float32Array(6),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    const ask = (): Promise<unknown> => tester.contacts(bodies, Uint32Array.of(0, 1));
    await ask();
    tester.updateMesh(id, [...flat.slice(0, 9), 0, 0, 0, 1, 0, 0, 0, -1, 0]);
    await expect(ask()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('indices') });
    tester.updateMesh(id, flat);
    await ask();
  });
});

test('positions are copied', async () => {
  using tester = await create();
  useMeshes(tester, 0);
  const given = positionsAt(0, 1);
  tester.updateMesh(0, given);
  const before = tester.shapeGeometry(0);
  given.fill(0);
  expect(tester.shapeGeometry(0)).toEqual(before);
});

describe('trees of meshes that move', () => {
  const { positions, indices } = makeSheet(16, () => 0);
  const linksOf = (at: Float64Array, of = indices): Int32Array => {
    const mesh = { positions: at, indices: of };
    return finish(rayTree(mesh)).links;
  };
  const bent = positions.map((x, i) => (i % 3 === 1 ? Math.fround(0.5 * Math.sin(4 * positions[i - 1])) : 2 * x));

  test('keep their nodes while the boxes stay small, and are cut anew when they have grown', () => {
    const own = indices.slice();
    const cut = linksOf(positions, own);
    expect(linksOf(bent, own)).toBe(cut);
    const random = createRandom(SEED);
    const mixed = positions.slice();
    for (let vertex = positions.length / 3 - 1; vertex > 0; vertex--) {
      const other = below(random, vertex + 1);
      for (let k = 0; k < 3; k++)
        [mixed[3 * vertex + k], mixed[3 * other + k]] = [mixed[3 * other + k], mixed[3 * vertex + k]];
    }
    const again = linksOf(mixed, own);
    expect(again).not.toBe(cut);
    expect(again).toEqual(linksOf(mixed, indices.slice()));
    // From there the sheet itself has shorter edges.
    expect(linksOf(positions, own).length).toBe(cut.length);
  });

  test('are not cut anew because the whole mesh has grown or become a point', () => {
    const own = indices.slice();
    const cut = linksOf(positions, own);
    expect(
      linksOf(
        positions.map((x) => 1000 * x),
        own,
      ),
    ).toBe(cut);
    expect(linksOf(new Float64Array(positions.length), own)).toBe(cut);
    expect(linksOf(bent, own)).toBe(cut);
  });

  test('of a mesh that was a point are cut once it is none', () => {
    const own = indices.slice();
    const cut = linksOf(new Float64Array(positions.length), own);
    const spread = linksOf(positions, own);
    expect(spread).not.toBe(cut);
    expect(linksOf(bent, own)).toBe(spread);
  });

  test('enclose the triangles where they are, for pairs and for rays', () => {
    const own = indices.slice();
    const before = { positions, indices: own };
    const after = { positions: bent, indices: own };
    for (const makeTree of [meshTree, rayTree]) {
      const first = finish(makeTree(before));
      const second = finish(makeTree(after));
      expect(second.links).toBe(first.links);
      expect(second.boxes).not.toEqual(first.boxes);
      expect(finish(makeTree(before))).toBe(first);
      expect(second.extent).toBeGreaterThan(first.extent);
    }
  });
});
