/**
 * Bad data that only the GPU sees, as in buffers that a caller's own shaders write: the backend is called below the
 * host's validation. A bad pair has status InvalidInput and zeros; every other pair has the bits of a run without bad
 * ones.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, BodyPairs, LeadStage, QueryRequest } from '../../src/request/backend.ts';
import { INFO_STATUS_MASK } from '../../src/generated/constants.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { planarRecords, spaceRecords } from '../../src/records/layout.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { RecordChunk } from '../../src/records/chunk.ts';
import { Status } from '../../src/api/types.ts';
import { dim2, dimension2 } from '../../src/dimension/dim2.ts';
import { planarPlanner } from '../../src/gpu/planar-plan.ts';
import { dim3, dimension3 } from '../../src/dimension/dim3.ts';
import { BAD_KINDS, mixBadPairs, mixPlanarBadPairs } from '../browser/bad-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { leadStages } from '../helpers/lead-stages.ts';

const PAIRS = 300;

interface Case {
  query: QueryName;
  leadStage: LeadStage;
}

/** Good pairs and bad ones of one table of shapes, and a run of the good ones without bad ones. */
interface Scene {
  name: string;
  dimension: BodyPairs['dimension'];
  records: typeof spaceRecords | typeof planarRecords;
  mixed: Pick<BodyPairs, 'bodies' | 'pairs' | 'shapes'> & { badAt: Map<number, string> };
  /** `invalid` of its pairs, the last ones, are bad. */
  clean: Pick<BodyPairs, 'bodies' | 'pairs'> & { invalid: number };
  seed: number;
  cases: Case[];
}

function sceneInSpace(seed: number, cases: Case[]): Scene {
  const mixed = mixBadPairs(PAIRS, seed);
  const { bodies, pairs } = mixed.family;
  const clean = { bodies: { ...bodies, scales: new Float32Array(2 * PAIRS).fill(1) }, pairs, invalid: 0 };
  return { name: 'box/box', dimension: dimension3, records: spaceRecords, mixed, clean, seed, cases };
}

function sceneInPlane(types: string, seed: number, cases: Case[]): Scene {
  const mixed = mixPlanarBadPairs(types, PAIRS, seed);
  // Behind the good pairs one of a body whose shape is gone, so that the kernels are those of the mixed pairs: others
  // may round in other places.
  const gone = mixed.pairs[2 * [...mixed.badAt].find(([, name]) => name === 'both have a removed shape')![0]];
  const clean = { bodies: mixed.bodies, pairs: Uint32Array.of(...mixed.family.pairs, gone, gone), invalid: 1 };
  return { name: types, dimension: dimension2, records: planarRecords, mixed, clean, seed, cases };
}

const scenes: Scene[] = [
  sceneInSpace(
    20_250_104,
    (['intersects', 'distances', 'contacts'] as const).flatMap((query) =>
      leadStages(query).map((leadStage) => ({ query, leadStage })),
    ),
  ),
  sceneInPlane('circle/polygon', 20_261_310, [
    { query: 'intersects', leadStage: 'sat' },
    { query: 'distances', leadStage: 'newton' },
    { query: 'contacts', leadStage: 'sat' },
    { query: 'manifolds', leadStage: 'sat' },
    { query: 'impacts', leadStage: 'sat' },
  ]),
  // One class alone needs no list of its pairs. Of circles, which removed shapes count among as kernels are chosen:
  // other kernels round otherwise.
  sceneInPlane('circle/circle', 20_261_310, [
    { query: 'contacts', leadStage: 'sat' },
    { query: 'intersects', leadStage: 'mpr' },
    { query: 'distances', leadStage: 'none' },
  ]),
];

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('invalid-input.device');
});
afterAll(() => device?.destroy());

interface Answer {
  /** Words of each record. */
  records: number[][];
  pairs: number[];
  statusCounts: number[];
}

describe.each(scenes)('$name', ({ dimension, records: { sizes }, mixed, clean, seed, cases }) => {
  const { badAt } = mixed;
  // One for each table of shapes: it would not see that another, of the same version, took its place.
  let backend: Backend;
  beforeAll(async () => {
    backend = createGpuBackend(
      await openDevice(undefined, { device }),
      {},
      dimension,
      (dimension === dimension2 ? dim2 : dim3).planners,
    );
  });
  afterAll(() => backend?.dispose());

  async function run(
    { query, leadStage }: Case,
    slots: 'all' | 'hits',
    { bodies, pairs }: Pick<BodyPairs, 'bodies' | 'pairs'>,
  ): Promise<Answer> {
    // For `impacts`: bodies go to the right and to the left.
    const linear = Float32Array.from({ length: 2 * bodies.shapes.length }, (_, i) => (i % 2 ? 0 : i % 4 ? -1 : 1));
    const request: QueryRequest = {
      what: { query, leadStage, margin: 0.0625 },
      over: {
        dimension,
        shapes: mixed.shapes,
        bodies,
        pairs,
        motion: query === 'impacts' ? { linear, duration: 1 } : undefined,
      },
      form: { type: 'records', slots },
    };
    const answer: Answer = { records: [], pairs: [], statusCounts: [] };
    const { words } = sizes[query];
    const write = ({ firstPair, recordCount, records, listed }: RecordChunk): void => {
      const all = new Uint32Array(records);
      for (let i = 0; i < recordCount; i++) {
        answer.records.push(Array.from(all.subarray(words * i, words * i + words)));
        answer.pairs.push(firstPair + (listed ? listed[i] : i));
      }
    };
    await withoutErrors(device, () =>
      backend.run(request, {
        loadDecoding: async () => {},
        write,
        count: (counts) => (answer.statusCounts = Array.from(counts)),
      }),
    );
    return answer;
  }

  describe.each(cases)('$query, first: $first', (asked) => {
    const { words, info } = sizes[asked.query];

    test('every bad pair has status InvalidInput and zeros, every other one the bits of a clean run', async () => {
      expect(new Set(badAt.values()).size).toBe(BAD_KINDS);
      const expected = (await run(asked, 'all', clean)).records.slice(0, PAIRS);
      const { records, pairs } = await run(asked, 'all', mixed);
      expect(pairs.length).toBe(mixed.pairs.length / 2);
      const zeros = Array.from({ length: words }, (_, word) => (word === info ? Status.InvalidInput : 0));
      let good = 0;
      for (const [pair, record] of records.entries()) {
        const bad = badAt.get(pair);
        if (bad) expect(record, `${bad}, pair ${pair}`).toEqual(zeros);
        else expect(record, `good pair ${good}, seed ${seed}`).toEqual(expected[good++]);
      }
      expect(good).toBe(PAIRS);
      expect(expected.every((record) => (record[info] & INFO_STATUS_MASK) <= Status.Overlapping)).toBe(true);
    });

    test('bad pairs are counted and are no hits', async () => {
      const { records, pairs, statusCounts } = await run(asked, 'hits', mixed);
      const cleanHits = await run(asked, 'hits', clean);
      expect(pairs.filter((pair) => badAt.has(pair))).toEqual([]);
      expect(records).toEqual(cleanHits.records);
      expect(records.length).toBeGreaterThan(PAIRS / 4);
      const added = badAt.size - clean.invalid;
      expect(statusCounts).toEqual(
        cleanHits.statusCounts.map((count, status) => count + (status === Status.InvalidInput ? added : 0)),
      );
    });
  });

  test('a query of nothing but bad pairs ends', async () => {
    const pairs = Uint32Array.from(
      [...badAt.keys()].flatMap((pair) => [...mixed.pairs.subarray(2 * pair, 2 * pair + 2)]),
    );
    const { records } = await run({ query: 'contacts', leadStage: 'sat' }, 'all', { bodies: mixed.bodies, pairs });
    expect(records.map((record) => record[sizes.contacts.info])).toEqual([...badAt].map(() => Status.InvalidInput));
  });
});

test('velocities that are not finite, and rotations beyond 32 radians, are invalid for their own pairs alone', async () => {
  const { family, shapes } = mixPlanarBadPairs('circle/polygon', PAIRS, 20_261_310);
  const { words, info } = planarRecords.sizes.impacts;
  const backend = createGpuBackend(await openDevice(undefined, { device }), {}, dimension2, {
    of: () => planarPlanner,
  });
  const count = family.bodies.shapes.length;
  const linear = new Float32Array(2 * count).fill(0.5);
  const angular = new Float32Array(count).fill(1);
  const answer = async (): Promise<number[][]> => {
    const records: number[][] = [];
    const request: QueryRequest = {
      what: { query: 'impacts', leadStage: 'sat', margin: 0 },
      over: {
        dimension: dimension2,
        shapes,
        bodies: family.bodies,
        pairs: family.pairs,
        motion: { linear, angular, duration: 1 },
      },
      form: { type: 'records', slots: 'all' },
    };
    await withoutErrors(device, () =>
      backend.run(request, {
        loadDecoding: async () => {},
        write: ({ records: all, recordCount }) => {
          for (let i = 0; i < recordCount; i++) records.push(Array.from(new Uint32Array(all, 4 * words * i, words)));
        },
        count() {},
      }),
    );
    return records;
  };
  const clean = await answer();
  const bad = new Map([
    [3, NaN],
    [10, Infinity],
    [21, 33],
    [30, -33],
    [41, 1e38],
  ]);
  for (const [body, velocity] of bad) angular[body] = velocity;
  linear[2 * 50] = NaN;
  linear[2 * 61 + 1] = -Infinity;
  // The relative velocity of bodies 70 and 71 overflows.
  linear.fill(3e38, 2 * 70, 2 * 70 + 1);
  linear.fill(-3e38, 2 * 71, 2 * 71 + 1);
  const badPairs = new Set([...bad.keys(), 50, 61, 70].map((body) => body >> 1));
  const records = await answer();
  expect(records.length).toBe(PAIRS);
  for (const [pair, record] of records.entries()) {
    if (badPairs.has(pair))
      expect(record, `pair ${pair}`).toEqual(record.map((_, word) => (word === info ? Status.InvalidInput : 0)));
    else expect(record, `pair ${pair}`).toEqual(clean[pair]);
  }
  backend.dispose();
});
