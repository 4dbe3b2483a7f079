/** Keys of the corners of two boxes (shaders/box-manifold/keys.wgsl): six bits of a rank are enough for their order. */
import { expect, test } from 'vitest';
import {
  CODE_CROSSING,
  CODE_OF_B,
  MANIFOLD_CROSSING,
  MANIFOLD_EDGE_BITS,
  MANIFOLD_RANK_FACTOR,
  MANIFOLD_VERTEX,
} from '../../src/generated/constants.ts';

/** The 32 bits of which corners.wgsl compares the upper 30, and box-manifold/keys.wgsl the upper six. */
const hashOf = (id: number): number => Math.imul(id, MANIFOLD_RANK_FACTOR) >>> 0;

const vertices = [0, 1, 2, 3];
const edges = vertices.flatMap((region) => vertices.map((subject) => ({ region, subject })));

test.each([
  ["A's vertices", vertices],
  ["B's vertices", vertices.map((i) => MANIFOLD_VERTEX + i)],
  ['crossings', edges.map(({ region, subject }) => MANIFOLD_CROSSING + region * 2 ** MANIFOLD_EDGE_BITS + subject)],
])('the order of %s by six bits is that by all', (_, ids) => {
  // If no two have the same upper bits, these decide the order.
  expect(new Set(ids.map((id) => hashOf(id) >>> 26)).size).toBe(ids.length);
});

test('codes are ids without the bits between', () => {
  expect([CODE_OF_B * 2 ** 26, CODE_CROSSING * 2 ** 26]).toEqual([MANIFOLD_VERTEX, MANIFOLD_CROSSING]);
});
