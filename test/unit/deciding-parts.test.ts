/** Traces of compounds and meshes: of the two parts that decide. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Capture, Tester } from '../../src/api/types.ts';
import { decidingParts, traceCapture } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import { capturePair, randomPair } from '../helpers/random-captures.ts';

let tester: Tester;
beforeAll(async () => void (tester = await createTester({ backend: 'cpu', threads: 1 })));
afterAll(() => tester.dispose());

const PAIRS = 60;

type Answer = { partA?: number; partB?: number; distance?: number; time?: number; status: number };

test('the last step is the captured answer', async () => {
  const types = new Set<string>();
  let traced = 0;
  for (let i = 0; traced < PAIRS; i++) {
    const pair = randomPair(6, i, 3);
    if (!pair.shapes.slice(1, 3).some(({ type }) => type === 'compound' || type === 'mesh')) continue;
    const isTurning = pair.bodies.angularVelocities !== undefined;
    // Distances below the margin are exact; beyond it both are bounds.
    if (isTurning || pair.options.algorithm === 'mpr') continue;
    if (pair.options.query !== 'impacts') pair.options.margin = Infinity;
    const capture = await capturePair(tester, pair);
    const answer = [capture.result].flat()[0] as Answer | undefined;
    if (!answer) continue;
    const label = `seed 6, pair ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    const { capture: convex, parts } = decidingParts(capture);
    if (answer.partA !== undefined) expect(parts, label).toEqual([answer.partA, answer.partB]);
    for (const { type } of convex.shapes) expect(['compound', 'mesh'], label).not.toContain(type);
    const last = traceCapture(capture).at(-1)!;
    if (last.type !== 'result') throw new Error(`${label}: the last step is ${last.type}`);
    if (capture.query === 'distances') expect((last.result as Answer).distance, label).toBeCloseTo(answer.distance!, 4);
    if (capture.query === 'contacts' && !hasMesh(capture))
      expect((last.result as Answer).distance, label).toBeCloseTo(answer.distance!, 4);
    if (capture.query === 'impacts' && Number.isFinite(answer.time!))
      expect((last.result as Answer).time, label).toBeCloseTo(answer.time!, 3);
    types.add(capture.query);
    traced++;
  }
  expect([...types].sort()).toEqual(['contacts', 'distances', 'impacts', 'intersects', 'manifolds']);
});

/** The depth of a mesh is along its surface's normals. */
function hasMesh({ shapes }: Capture): boolean {
  return shapes.some(({ type }) => type === 'mesh');
}

test('convex pairs are returned as they are', async () => {
  const capture = await capturePair(tester, randomPair(6, 1, 3));
  expect(decidingParts(capture)).toEqual({ capture, parts: [0, 0] });
  expect(decidingParts(capture).capture).toBe(capture);
});

test('an answer without parts, a part that is not there, and 2-D are refused', async () => {
  const compound = { type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] } as const;
  const ids = [tester.addShape(compound), tester.addShape(compound)];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, 0, 1, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const capture = await tester.capture(bodies, Uint32Array.of(0, 1), 0, { query: 'contacts' });
  expect(() => traceCapture({ ...capture, result: [] })).toThrow(/result is .*expected the answer for a pair of parts/);
  const wrong = { ...capture.result, partA: 7 } as typeof capture.result;
  expect(() => traceCapture({ ...capture, result: wrong } as Capture)).toThrow(
    /result\.partA is 7, expected one of the 1 parts/,
  );
  expect(() => decidingParts({ ...capture, dimension: 2 } as unknown as Capture)).toThrow(/dimension is 2, expected 3/);
  for (const id of ids) tester.removeShape(id);
});
