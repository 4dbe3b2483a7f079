/**
 * Bad data that only the GPU sees, as in buffers that a caller's own shaders write: the backend is called below the host's
 * validation. A bad pair has status InvalidInput and zeros; every other pair has the bits of a run without bad ones.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, QueryRequest } from '../../src/backend.ts';
import { INFO_STATUS_MASK } from '../../src/generated/constants.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { recordWords, type QueryName, type RecordChunk } from '../../src/pack/results.ts';
import { addShape, createShapeTable, removeShape } from '../../src/shapes/shape-table.ts';
import { Status, type Bodies } from '../../src/types.ts';
import { makeFamily } from '../families.ts';
import { openDefaultDevice, withoutErrors } from '../support-gpu.ts';

const SEED = 20_250_104;
const PAIRS = 300;
/** A bad pair stands behind every so many good ones. */
const STRIDE = 5;

let device: GPUDevice;
let backend: Backend;

beforeAll(async () => {
  device = await openDefaultDevice('invalid-input.device');
  backend = createGpuBackend(await openDevice(undefined, { device }), {});
});

afterAll(() => {
  backend?.dispose();
  device?.destroy();
});

const family = makeFamily('box-box', PAIRS, SEED);
const table = createShapeTable();
for (const shape of family.shapes) addShape(table, shape);
const removed = addShape(table, { type: 'sphere', radius: 1 });
removeShape(table, removed);
const GOOD_BODIES = 2 * PAIRS;

interface BadBody {
  name: string;
  shape?: number;
  position?: number[];
  quaternion?: number[];
  scale?: number;
}

const badBodies: BadBody[] = [
  { name: 'a NaN in the position', position: [0, NaN, 0] },
  { name: 'an infinite position', position: [0, 0, Infinity] },
  { name: 'a position of minus infinity', position: [-Infinity, 0, 0] },
  { name: 'a NaN in the quaternion', quaternion: [0, 0, NaN, 1] },
  { name: 'an infinite quaternion', quaternion: [Infinity, 0, 0, 1] },
  { name: 'a zero quaternion', quaternion: [0, 0, 0, 0] },
  { name: 'scale 0', scale: 0 },
  { name: 'a negative scale', scale: -1 },
  { name: 'a NaN scale', scale: NaN },
  { name: 'an infinite scale', scale: Infinity },
  { name: 'a shape index one too large', shape: family.shapes.length + 1 },
  { name: 'the largest shape index', shape: 0xffff_ffff },
  { name: 'a removed shape', shape: removed },
];

/** The family's bodies, then the bad ones, then two whose finite positions are too far apart for f32. */
const bodies: Bodies = {
  shapes: Uint32Array.from([...family.bodies.shapes, ...badBodies.map(({ shape = 0 }) => shape), 0, 0]),
  positions: Float32Array.from([...family.bodies.positions, ...badBodies.flatMap(({ position = [0, 0, 0] }) => position), 3e38, 0, 0, -3e38, 0, 0]),
  quaternions: Float32Array.from([...family.bodies.quaternions, ...badBodies.flatMap(({ quaternion = [0, 0, 0, 1] }) => quaternion), 0, 0, 0, 1, 0, 0, 0, 1]),
  scales: Float32Array.from([...family.bodies.shapes.map(() => 1), ...badBodies.map(({ scale = 1 }) => scale), 1, 1]),
};
const bodyCount = bodies.shapes.length;

/** Each bad body on either side, against good ones, bad ones and itself, and bodies that there are not. */
const badPairs: { name: string; a: number; b: number }[] = [
  ...badBodies.flatMap(({ name }, i) => {
    const bad = GOOD_BODIES + i;
    return [
      { name: `A has ${name}`, a: bad, b: i },
      { name: `B has ${name}`, a: i, b: bad },
      { name: `both have ${name}`, a: bad, b: bad },
    ];
  }),
  { name: 'positions 6e38 apart', a: bodyCount - 2, b: bodyCount - 1 },
  { name: 'A is one body too far', a: bodyCount, b: 0 },
  { name: 'B is one body too far', a: 0, b: bodyCount },
  { name: 'A is the largest index', a: 0xffff_ffff, b: 0 },
  { name: 'B is the largest index', a: 0, b: 0xffff_ffff },
];

/** Good pairs with a bad one behind every `STRIDE` of them. */
const mixed: number[] = [];
const badAt = new Map<number, string>();
for (let good = 0; good < PAIRS; good++) {
  mixed.push(2 * good, 2 * good + 1);
  if (good % STRIDE !== STRIDE - 1) continue;
  const bad = badPairs[((good + 1) / STRIDE - 1) % badPairs.length];
  badAt.set(mixed.length / 2, bad.name);
  mixed.push(bad.a, bad.b);
}
const allPairs = Uint32Array.from(mixed);

interface Answer {
  /** Words of each record. */
  records: number[][];
  pairs: number[];
  statusCounts: number[];
}

async function run(query: QueryName, useSat: boolean, hitsOnly: boolean, pairs: Uint32Array, ofBodies: Bodies): Promise<Answer> {
  const request: QueryRequest = { query, bodies: ofBodies, pairs, shapes: table, useSat, margin: 0.0625, hitsOnly };
  const answer: Answer = { records: [], pairs: [], statusCounts: [] };
  const { words } = recordWords[query];
  const write = ({ firstPair, recordCount, records, listed }: RecordChunk): void => {
    const all = new Uint32Array(records);
    for (let i = 0; i < recordCount; i++) {
      answer.records.push(Array.from(all.subarray(words * i, words * i + words)));
      answer.pairs.push(firstPair + (listed ? listed[i] : i));
    }
  };
  await withoutErrors(device, () => backend.run(request, { write, count: (counts) => (answer.statusCounts = Array.from(counts)) }));
  return answer;
}

const cases = (['intersects', 'distances', 'contacts'] as const).flatMap((query) => [true, false].map((useSat) => ({ query, useSat })));

describe.each(cases)('$query, SAT first: $useSat', ({ query, useSat }) => {
  const { words, info } = recordWords[query];
  let clean: Answer;

  beforeAll(async () => {
    const scales = new Float32Array(GOOD_BODIES).fill(1);
    clean = await run(query, useSat, false, family.pairs, { ...family.bodies, scales });
  });

  test('every bad pair has status InvalidInput and zeros, every other one the bits of a clean run', async () => {
    expect(new Set(badAt.values()).size).toBe(badPairs.length);
    const { records, pairs } = await run(query, useSat, false, allPairs, bodies);
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
    const { records, pairs, statusCounts } = await run(query, useSat, true, allPairs, bodies);
    const cleanHits = await run(query, useSat, true, family.pairs, { ...family.bodies, scales: new Float32Array(GOOD_BODIES).fill(1) });
    expect(pairs.filter((pair) => badAt.has(pair))).toEqual([]);
    expect(records).toEqual(cleanHits.records);
    expect(records.length).toBeGreaterThan(PAIRS / 4);
    expect(statusCounts).toEqual(cleanHits.statusCounts.map((count, status) => count + (status === Status.InvalidInput ? badAt.size : 0)));
    expect(clean.records.every((record) => (record[info] & INFO_STATUS_MASK) <= Status.Overlapping)).toBe(true);
  });
});

test('a batch of nothing but bad pairs ends', async () => {
  const pairs = Uint32Array.from(badPairs.flatMap(({ a, b }) => [a, b]));
  const { records } = await run('contacts', true, false, pairs, bodies);
  expect(records.map((record) => record[recordWords.contacts.info])).toEqual(badPairs.map(() => Status.InvalidInput));
});
