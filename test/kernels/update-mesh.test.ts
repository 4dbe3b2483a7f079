/** `tester.updateMesh` on the GPU: queries, and batches with meshes. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { submit } from '../helpers/batch.ts';
import { makeScene, moveMeshes, useMeshes } from '../helpers/moving-meshes.ts';
import { answersOf } from '../helpers/planar-tester.ts';

const { bodies, pairs } = makeScene();

async function answersAbout(tester: Tester): Promise<unknown[]> {
  return [
    answersOf(await tester.contacts(bodies, pairs, { results: 'hits' })),
    answersOf(await tester.intersects(bodies, pairs, { parts: 'all' })),
  ];
}

async function freshAnswers(moment: number): Promise<unknown[]> {
  using fresh = await createTester({ backend: 'webgpu' });
  useMeshes(fresh, moment);
  return await answersAbout(fresh);
}

test('queries find moved meshes with the bits of a tester that was given them, and back where they were, as at first', async () => {
  using tester = await createTester({ backend: 'webgpu' });
  useMeshes(tester, 0);
  const first = await answersAbout(tester);
  expect((first[0] as { count: number }).count).toBeGreaterThan(20);
  moveMeshes(tester, 1);
  const moved = await answersAbout(tester);
  expect(moved).not.toEqual(first);
  expect(moved).toEqual(await freshAnswers(1));
  moveMeshes(tester, 0);
  expect(await answersAbout(tester)).toEqual(first);
});

test('a batch takes moved meshes once it is prepared, and then answers as a query does', async () => {
  using tester = await createTester({ backend: 'webgpu' });
  useMeshes(tester, 0);
  const { shapes, positions, quaternions } = bodies as Required<typeof bodies>;
  const batch = await tester.createBatch({
    query: 'intersects',
    maxBodies: shapes.length,
    maxPairs: pairs.length / 2,
    maxPartPairs: 20_000,
  });
  batch.write({ bodies: { shapes, positions, quaternions }, pairs });
  const answer = async (): Promise<number[]> => {
    submit(batch);
    return Array.from((await batch.read()).hit);
  };
  const first = await answer();
  expect(first).toEqual(Array.from((await tester.intersects(bodies, pairs)).hit));
  moveMeshes(tester, 1);
  expect(() => submit(batch)).toThrow('expected await batch.prepare() before encode');
  await batch.prepare();
  const moved = await answer();
  expect(moved).not.toEqual(first);
  expect(moved).toEqual(Array.from((await tester.intersects(bodies, pairs)).hit));
  moveMeshes(tester, 0);
  await batch.prepare();
  expect(await answer()).toEqual(first);
});
