/**
 * Bad data that only the GPU sees, as in buffers that a caller's own shaders write: the backend is called below the
 * host's validation. A bad pair has status InvalidInput and zeros; every other pair has the bits of a run without bad
 * ones.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, FirstRung, QueryRequest } from '../../src/request/backend.ts';
import { INFO_STATUS_MASK } from '../../src/generated/constants.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { spaceRecords } from '../../src/records/layout.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { RecordChunk } from '../../src/records/results.ts';
import { Status, type PosedBodies } from '../../src/api/types.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { spatial } from '../../src/dimension/dim3.ts';
import { mixBadPairs } from '../browser/bad-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { firstRungs } from '../helpers/rungs.ts';

const SEED = 20_250_104;
const PAIRS = 300;

let device: GPUDevice;
let backend: Backend;

beforeAll(async () => {
  device = await openDefaultDevice('invalid-input.device');
  backend = createGpuBackend(await openDevice(undefined, { device }), {}, spatial, spatialPlanner);
});

afterAll(() => {
  backend?.dispose();
  device?.destroy();
});

const { shapes: table, family, bodies, pairs: allPairs, badAt } = mixBadPairs(PAIRS, SEED);
const cleanBodies = { ...family.bodies, scales: new Float32Array(2 * PAIRS).fill(1) };

interface Answer {
  /** Words of each record. */
  records: number[][];
  pairs: number[];
  statusCounts: number[];
}

async function run(
  query: QueryName,
  first: FirstRung,
  hitsOnly: boolean,
  pairs: Uint32Array,
  ofBodies: PosedBodies,
): Promise<Answer> {
  const request: QueryRequest = {
    query,
    space: spatial,
    bodies: ofBodies,
    pairs,
    shapes: table,
    first,
    margin: 0.0625,
    hitsOnly,
  };
  const answer: Answer = { records: [], pairs: [], statusCounts: [] };
  const { words } = spaceRecords.sizes[query];
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

const cases = (['intersects', 'distances', 'contacts'] as const).flatMap((query) =>
  firstRungs(query).map((first) => ({ query, first })),
);

describe.each(cases)('$query, first: $first', ({ query, first }) => {
  const { words, info } = spaceRecords.sizes[query];
  let clean: Answer;

  beforeAll(async () => {
    clean = await run(query, first, false, family.pairs, cleanBodies);
  });

  test('every bad pair has status InvalidInput and zeros, every other one the bits of a clean run', async () => {
    expect(new Set(badAt.values()).size).toBe(44);
    const { records, pairs } = await run(query, first, false, allPairs, bodies);
    expect(pairs.length).toBe(allPairs.length / 2);
    const expected = Array.from({ length: words }, (_, word) => (word === info ? Status.InvalidInput : 0));
    let good = 0;
    for (const [pair, record] of records.entries()) {
      const bad = badAt.get(pair);
      if (bad) expect(record, `${bad}, pair ${pair}`).toEqual(expected);
      else expect(record, `good pair ${good}, seed ${SEED}`).toEqual(clean.records[good++]);
    }
    expect(good).toBe(PAIRS);
  });

  test('bad pairs are counted and are no hits', async () => {
    const { records, pairs, statusCounts } = await run(query, first, true, allPairs, bodies);
    const cleanHits = await run(query, first, true, family.pairs, cleanBodies);
    expect(pairs.filter((pair) => badAt.has(pair))).toEqual([]);
    expect(records).toEqual(cleanHits.records);
    expect(records.length).toBeGreaterThan(PAIRS / 4);
    expect(statusCounts).toEqual(
      cleanHits.statusCounts.map((count, status) => count + (status === Status.InvalidInput ? badAt.size : 0)),
    );
    expect(clean.records.every((record) => (record[info] & INFO_STATUS_MASK) <= Status.Overlapping)).toBe(true);
  });
});

test('a batch of nothing but bad pairs ends', async () => {
  const pairs = Uint32Array.from([...badAt.keys()].flatMap((pair) => [...allPairs.subarray(2 * pair, 2 * pair + 2)]));
  const { records } = await run('contacts', 'sat', false, pairs, bodies);
  expect(records.map((record) => record[spaceRecords.sizes.contacts.info])).toEqual(
    [...badAt].map(() => Status.InvalidInput),
  );
});
