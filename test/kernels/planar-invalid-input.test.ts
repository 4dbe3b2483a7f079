/**
 * Bad data of the plane that only the GPU sees: the backend is called below the host's validation. A bad pair has
 * status InvalidInput and zeros; every other pair has the bits of a run without bad ones.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, FirstRung, QueryRequest } from '../../src/request/backend.ts';
import { INFO_STATUS_MASK } from '../../src/generated/constants.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { planarRecords } from '../../src/records/layout.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { RecordChunk } from '../../src/records/results.ts';
import { planarPlanner } from '../../src/gpu/planar-plan.ts';
import { planar } from '../../src/dimension/dim2.ts';
import { Status, type PlanarBodies } from '../../src/api/types.ts';
import { mixPlanarBadPairs, PLANAR_BAD_KINDS, type MixedPlanarPairs } from '../browser/planar-bad-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const SEED = 20_261_310;
const PAIRS = 300;

let device: GPUDevice;
let backend: Backend;

beforeAll(async () => {
  device = await openDefaultDevice('planar-invalid-input.device');
});

afterAll(() => device?.destroy());

/**
 * A backend for the pairs of one table of shapes: it would not see that another, of the same version, took its place.
 */
function useBackend(): void {
  beforeAll(async () => {
    backend = createGpuBackend(await openDevice(undefined, { device }), {}, planar, planarPlanner);
  });
  afterAll(() => backend?.dispose());
}

interface Answer {
  /** Words of each record. */
  records: number[][];
  pairs: number[];
  statusCounts: number[];
}

interface Asked {
  query: QueryName;
  first: FirstRung;
  hitsOnly: boolean;
}

async function run(
  { shapes }: MixedPlanarPairs,
  { query, first, hitsOnly }: Asked,
  pairs: Uint32Array,
  bodies: PlanarBodies,
  linear?: Float32Array,
): Promise<Answer> {
  const motion = linear && { linear, duration: 1 };
  const request: QueryRequest = {
    query,
    space: planar,
    bodies,
    pairs,
    shapes,
    first,
    margin: 0.0625,
    hitsOnly,
    motion,
  };
  const answer: Answer = { records: [], pairs: [], statusCounts: [] };
  const { words } = planarRecords.sizes[query];
  const write = ({ firstPair, recordCount, records, listed }: RecordChunk): void => {
    const all = new Uint32Array(records);
    for (let i = 0; i < recordCount; i++) {
      answer.records.push(Array.from(all.subarray(words * i, words * i + words)));
      answer.pairs.push(firstPair + (listed ? listed[i] : i));
    }
  };
  await withoutErrors(device, () =>
    backend.run(request, { write, count: (counts) => (answer.statusCounts = Array.from(counts)) }),
  );
  return answer;
}

const cases: { query: QueryName; first: FirstRung; types: string }[] = [
  { query: 'intersects', first: 'sat', types: 'circle/rectangle' },
  { query: 'distances', first: 'newton', types: 'circle/rectangle' },
  { query: 'contacts', first: 'sat', types: 'circle/rectangle' },
  { query: 'manifolds', first: 'sat', types: 'circle/rectangle' },
  { query: 'impacts', first: 'sat', types: 'circle/rectangle' },
  // One class alone needs no list of its pairs. Of circles, which removed shapes count among as kernels are chosen:
  // other kernels round otherwise.
  { query: 'contacts', first: 'sat', types: 'circle/circle' },
  { query: 'intersects', first: 'mpr', types: 'circle/circle' },
  { query: 'distances', first: 'none', types: 'circle/circle' },
];

describe.each(cases)('$query of $types, first: $first', ({ query, first, types }) => {
  const mixed = mixPlanarBadPairs(types, PAIRS, SEED);
  const { family, bodies, pairs: allPairs, badAt } = mixed;
  const { words, info } = planarRecords.sizes[query];
  // Of impacts: bodies that go to the right and to the left.
  const linear =
    query === 'impacts'
      ? Float32Array.from({ length: 2 * bodies.shapes.length }, (_, i) => (i % 2 ? 0 : i % 4 ? -1 : 1))
      : undefined;
  useBackend();

  // Behind the good pairs one of a body whose shape is gone, so that the kernels are those of the mixed pairs: others
  // may round in other places.
  const clean = async (hitsOnly: boolean): Promise<Answer> => {
    const gone = mixed.pairs[2 * [...badAt].find(([, name]) => name === 'both have a removed shape')![0]];
    const { records, pairs, statusCounts } = await run(
      mixed,
      { query, first, hitsOnly },
      Uint32Array.of(...family.pairs, gone, gone),
      bodies,
      linear,
    );
    statusCounts[Status.InvalidInput]--;
    return { records: hitsOnly ? records : records.slice(0, -1), pairs, statusCounts };
  };

  test('every bad pair has status InvalidInput and zeros, every other one the bits of a clean run', async () => {
    expect(new Set(badAt.values()).size).toBe(PLANAR_BAD_KINDS);
    const { records: expected } = await clean(false);
    const { records, pairs } = await run(mixed, { query, first, hitsOnly: false }, allPairs, bodies, linear);
    expect(pairs.length).toBe(allPairs.length / 2);
    const zeros = Array.from({ length: words }, (_, word) => (word === info ? Status.InvalidInput : 0));
    let good = 0;
    for (const [pair, record] of records.entries()) {
      const bad = badAt.get(pair);
      if (bad) expect(record, `${bad}, pair ${pair}`).toEqual(zeros);
      else expect(record, `good pair ${good}, seed ${SEED}`).toEqual(expected[good++]);
    }
    expect(good).toBe(PAIRS);
    expect(expected.every((record) => (record[info] & INFO_STATUS_MASK) <= Status.Overlapping)).toBe(true);
  });

  test('bad pairs are counted and are no hits', async () => {
    const { records, pairs, statusCounts } = await run(
      mixed,
      { query, first, hitsOnly: true },
      allPairs,
      bodies,
      linear,
    );
    const cleanHits = await clean(true);
    expect(pairs.filter((pair) => badAt.has(pair))).toEqual([]);
    expect(records).toEqual(cleanHits.records);
    expect(records.length).toBeGreaterThan(PAIRS / 4);
    expect(statusCounts).toEqual(
      cleanHits.statusCounts.map((count, status) => count + (status === Status.InvalidInput ? badAt.size : 0)),
    );
  });
});

describe('pairs of two kinds', () => {
  const mixed = mixPlanarBadPairs('circle/rectangle', PAIRS, SEED);

  useBackend();

  test('a query of nothing but bad pairs ends', async () => {
    const pairs = Uint32Array.from(
      [...mixed.badAt.keys()].flatMap((pair) => [...mixed.pairs.subarray(2 * pair, 2 * pair + 2)]),
    );
    const { records } = await run(mixed, { query: 'contacts', first: 'sat', hitsOnly: false }, pairs, mixed.bodies);
    expect(records.map((record) => record[planarRecords.sizes.contacts.info])).toEqual(
      [...mixed.badAt].map(() => Status.InvalidInput),
    );
  });

  test('velocities that are no numbers, and turns beyond 32 radians, are invalid for their own pairs alone', async () => {
    const { family } = mixed;
    const count = family.bodies.shapes.length;
    const linear = new Float32Array(2 * count).fill(0.5);
    const angular = new Float32Array(count).fill(1);
    const ask = async (): Promise<number[][]> => {
      const records: number[][] = [];
      const words = planarRecords.sizes.impacts.words;
      const request: QueryRequest = {
        query: 'impacts',
        space: planar,
        bodies: family.bodies,
        pairs: family.pairs,
        shapes: mixed.shapes,
        first: 'sat',
        margin: 0,
        hitsOnly: false,
        motion: { linear, angular, duration: 1 },
      };
      await withoutErrors(device, () =>
        backend.run(request, {
          write: ({ records: all, recordCount }) => {
            for (let i = 0; i < recordCount; i++) records.push(Array.from(new Uint32Array(all, 4 * words * i, words)));
          },
          count() {},
        }),
      );
      return records;
    };
    const clean = await ask();
    const bad = new Map([
      [3, NaN],
      [10, Infinity],
      [21, 33],
      [30, -33],
      [41, 1e38],
    ]);
    for (const [body, spin] of bad) angular[body] = spin;
    linear[2 * 50] = NaN;
    linear[2 * 61 + 1] = -Infinity;
    linear.fill(3e38, 2 * 70, 2 * 70 + 1);
    linear.fill(-3e38, 2 * 71, 2 * 71 + 1);
    const badPairs = new Set([...bad.keys(), 50, 61, 70].map((body) => body >> 1));
    const { info } = planarRecords.sizes.impacts;
    (await ask()).forEach((record, pair) => {
      if (badPairs.has(pair))
        expect(record, `pair ${pair}`).toEqual(record.map((_, word) => (word === info ? Status.InvalidInput : 0)));
      else expect(record, `pair ${pair}`).toEqual(clean[pair]);
    });
  });
});
