/** The pairs of many bodies by the grid, beside those that the CPU's tree of boxes finds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { openBroadPhase, type DeviceBroadPhase } from '../helpers/broad-phase.ts';
import { makePairJudge } from '../helpers/pair-judge.ts';

const SEED = 20_261_134;

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

/** Places a * count + b of the pairs, which are ascending and each there once. */
function placesOf(pairs: Uint32Array, count: number): Float64Array {
  const places = Float64Array.from({ length: pairs.length / 2 }, (_, i) => pairs[2 * i] * count + pairs[2 * i + 1]);
  const wrong = places.findIndex((place, i) => !(place > (places[i - 1] ?? -1) && pairs[2 * i] < pairs[2 * i + 1]));
  if (wrong >= 0) throw new Error(`seed ${SEED}: pair ${wrong} is ${pairs[2 * wrong]}, ${pairs[2 * wrong + 1]}`);
  return places;
}

test.each([
  ['similar', 100_000],
  ['mixed', 100_000],
] as const)(
  'scene %s, %i bodies: the pairs are those of the tree, each once, in order',
  async (name, count) => {
    const scene = broadPhaseScene(name, count, SEED);
    const found = placesOf(await broadPhase.find(scene), count);
    using tester = await createTester({ backend: 'cpu' });
    for (const shape of scene.shapes) tester.addShape(shape);
    const expected = placesOf(await tester.findPairs(scene.bodies), count);
    expect(found.length).toBeGreaterThan(count);
    // Either list may have pairs whose boxes are apart by less than the rounding.
    const judge = makePairJudge(scene.shapes, oracleBodies(scene.shapes, scene.bodies));
    const [ofGrid, ofTree] = [new Set(found), new Set(expected)];
    const differing = [
      ...found.filter((place) => !ofTree.has(place)),
      ...expected.filter((place) => !ofGrid.has(place)),
    ];
    for (const place of differing) {
      const [a, b] = [Math.floor(place / count), place % count];
      expect(judge(a, b).verdict, `seed ${SEED}: ${a}, ${b}`).toBe('allowed');
    }
    expect(differing.length).toBeLessThan(1e-3 * found.length);
  },
  300_000,
);
