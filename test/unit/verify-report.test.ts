/** The parts of the report of `verify`: histograms, the worst pairs, JSON to the bit, the scene of some pairs. */

import { describe, expect, test } from 'vitest';
import { exactJson } from '../../cli/exact-json.ts';
import { aligned } from '../../cli/terminal-text.ts';
import { binAt, countError, createHistogram, occupiedBins } from '../../verification/statistics/histogram.ts';
import { replayScene } from '../../cli/verify/replay.ts';
import { createWorst, keepWorst, worstItems } from '../../verification/statistics/worst.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { createRandom } from '../../verification/families/random.ts';

/** `above < error <= upTo: pairs` of the bins that are not empty. */
function filled(tolerance: number, errors: number[]): [above: number, upTo: number | null, pairs: number][] {
  const histogram = createHistogram(tolerance);
  for (const error of errors) countError(histogram, error);
  return histogram.bins.flatMap((pairs, bin) =>
    pairs > 0 ? [Object.values(binAt(histogram, bin)) as [number, number | null, number]] : [],
  );
}

describe('a histogram of errors', () => {
  test('has bins of a decade, the one of the tolerance cut in two', () => {
    expect(filled(5e-6, [3e-8, 9e-8, 2e-6, 5e-6, 5.1e-6, 2e-5])).toEqual([
      [1e-8, 1e-7, 2],
      [1e-6, 5e-6, 2],
      [5e-6, 1e-5, 1],
      [1e-5, 1e-4, 1],
    ]);
  });

  test('has one edge where the tolerance is a power of ten', () => {
    expect(filled(1e-9, [1e-9, 2e-9])).toEqual([
      [1e-10, 1e-9, 1],
      [1e-9, 1e-8, 1],
    ]);
  });

  test('counts zeros apart, and has bins for all other errors', () => {
    const histogram = createHistogram(5e-6);
    for (const error of [0, 0, 1e-300, 1e300]) countError(histogram, error);
    expect(histogram.zeros).toBe(2);
    expect(binAt(histogram, 0)).toEqual({ above: 0, upTo: 1e-16, pairs: 1 });
    expect(binAt(histogram, histogram.bins.length - 1)).toEqual({ above: 1, upTo: null, pairs: 1 });
  });

  test('is shown from the first to the last bin that has errors, with the tolerance', () => {
    const histogram = createHistogram(5e-6);
    const shown = () => {
      const { first, end } = occupiedBins([createHistogram(5e-6), histogram]);
      return [binAt(histogram, first).above, binAt(histogram, end - 1).upTo];
    };
    expect(shown()).toEqual([1e-6, 5e-6]);
    countError(histogram, 2e-9);
    expect(shown()).toEqual([1e-9, 5e-6]);
    countError(histogram, 2e-4);
    expect(shown()).toEqual([1e-9, 1e-3]);
  });
});

test('the worst of many pairs are those that a sort of all would give, whatever their order', () => {
  const random = createRandom(1);
  const all = Array.from({ length: 5000 }, (_, pair) => ({
    pair,
    rank: Math.floor(1.01 * random()),
    error: Math.floor(100 * random()),
  }));
  const sorted = [...all]
    .sort((a, b) => b.rank - a.rank || b.error - a.error || a.pair - b.pair)
    .map(({ pair }) => pair);
  for (const wanted of [0, 1, 7, 6000]) {
    const worst = createWorst<number>(wanted);
    let made = 0;
    for (const badness of all) keepWorst(worst, badness, () => (made++, badness.pair));
    expect(worstItems(worst)).toEqual(sorted.slice(0, wanted));
    if (wanted === 7) expect(made).toBeLessThan(1000);
  }
});

test('exact JSON keeps every bit of a number, and says what JSON has no number for', () => {
  const numbers = [-0, 0.1, Math.fround(0.1), 5e-324, 1.7976931348623157e308, -1e-7];
  const back = JSON.parse(exactJson(numbers)) as number[];
  back.forEach((x, i) => expect(Object.is(x, numbers[i])).toBe(true));
  expect(JSON.parse(exactJson(Float32Array.of(0.1, -0)))).toEqual([Math.fround(0.1), -0]);
  expect(exactJson({ a: undefined, b: [NaN, Infinity], c: 'x"', d: null, e: { f: true } })).toBe(
    '{ "b": ["NaN", "Infinity"], "c": "x\\"", "d": null, "e": { "f": true } }',
  );
});

test('a table of as many rows as there may be pairs overflows no stack', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [`${i}`, 'x']);
  expect(aligned(rows).at(-1)).toBe('299999  x');
});

describe('a scene of some pairs', () => {
  const scene = parseScene(
    JSON.stringify({
      version: 1,
      name: 'n'.repeat(256),
      shapes: [
        { type: 'sphere', radius: 0.1 },
        { id: 'b', type: 'box', halfExtents: [0.1, 0.2, 0.3], radius: 0.01 },
        { type: 'hull', points: [0, 0, 0, 1, 0, 0.7] },
      ],
      bodies: [
        { shape: 0, position: [0, 0, 0] },
        { shape: 2, position: [0.1, 1e-17, 123456.789], quaternion: [0.1, -0.2, 0.3, 0.4], scale: 0.7, name: 'rod' },
        { shape: 'b', position: [3, 2, 1], quaternion: [0, 0, 1, 0] },
        { shape: 2, position: [-2e6, 0, 0], name: 'far' },
      ],
      pairs: [
        [0, 1],
        [0, 2],
        [2, 1],
        [1, 3],
      ],
    }).replace('"position":[0,0,0]', '"position":[-0,0,0]'),
  );
  const pairs = scene.pairs as Uint32Array;
  const replay = (listed: number[], margin = 0) => parseScene(replayScene(scene, pairs, listed, margin));

  test('has their bodies to the bit, shapes and names, in the order of the list', () => {
    const { shapes, bodies, bodyNames, pairs: found, margin, name } = replay([2, 0], 0.1);
    expect(found).toEqual(Uint32Array.of(0, 1, 2, 1));
    expect(shapes).toEqual([scene.shapes[1], scene.shapes[2], scene.shapes[0]]);
    expect(margin).toBe(0.1);
    expect(name).toHaveLength(256);
    expect(bodyNames.get(1)).toBe('rod');
    [2, 1, 0].forEach((body, i) => {
      expect(bodies.positions.slice(3 * i, 3 * i + 3)).toEqual(scene.bodies.positions.slice(3 * body, 3 * body + 3));
      expect(bodies.quaternions.slice(4 * i, 4 * i + 4)).toEqual(
        scene.bodies.quaternions.slice(4 * body, 4 * body + 4),
      );
      expect(bodies.scales[i]).toBe(scene.bodies.scales[body]);
    });
    expect(Object.is(bodies.positions[6], -0)).toBe(true);
  });

  test('keeps the range of positions, in which kernels form differences', () => {
    const { bodies, bodyNames, pairs: found } = replay([1]);
    expect(found).toEqual(Uint32Array.of(0, 1));
    expect(bodies.shapes).toHaveLength(3);
    expect(bodyNames.get(2)).toBe('outermost body of the scene, in no pair');
    expect(packBodies(bodies, dimension3).cellSize).toBe(packBodies(scene.bodies, dimension3).cellSize);
    const withFar = replay([3]);
    expect(withFar.bodies.shapes).toHaveLength(2);
    expect(withFar.bodyNames.get(1)).toBe('far');
  });

  test('leaves out an infinite margin, and may be empty', () => {
    expect(replay([0], Infinity).margin).toBeUndefined();
    expect(replay([]).pairs).toHaveLength(0);
    const empty = parseScene('{"version":1,"shapes":[],"bodies":[],"pairs":[]}');
    expect(parseScene(replayScene(empty, new Uint32Array(), [], 0)).bodies.shapes).toHaveLength(0);
  });
});
