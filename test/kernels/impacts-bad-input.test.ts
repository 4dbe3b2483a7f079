/**
 * What impacts refuse on the host, by the name of the field, and bad data that only the GPU sees, in buffers of the
 * caller's: a bad pair has status InvalidInput and zeros, every other pair the bits of a run without bad ones.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { Batch } from '../../src/api/batch.ts';
import { createTester } from '../../src/node.ts';
import { packBodies, packVelocities } from '../../verification/records/packed-bodies.ts';
import { Status, type Impacts, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { layouts } from '../../src/wgsl.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { movingFamily } from '../helpers/impacts.ts';

const SEED = 20_261_304;

let device: GPUDevice;
let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  device = await openDefaultDevice('impacts-bad-input.device');
  gpu = await createTester({ device });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
  device?.destroy();
});

/** The parts of a message "FIELD is VALUE, expected EXPECTATION" of an error. */
async function refusal(
  ask: Promise<unknown> | (() => unknown),
): Promise<{ code?: string; field?: string; expected?: string }> {
  try {
    await (typeof ask === 'function' ? ask() : ask);
  } catch (error) {
    const [, field, expected] = /^(.*?) is .*, expected (.+)$/s.exec((error as Error).message) ?? [];
    return { code: (error as { code?: string }).code, field, expected };
  }
  return {};
}

/** A box, a ball that comes towards it, and a half-space. */
function good(): MovingBodies {
  return {
    shapes: Uint32Array.of(0, 1, 2),
    positions: Float32Array.of(0, 0, 0, 3, 0, 0, 6, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.of(0, 0, 0, -1, 0, 0, 0, 0, 0),
    angularVelocities: new Float32Array(9),
  };
}

const apart = (count: number): Float32Array =>
  Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? 3 * Math.floor(i / 3) : 0));

describe('on the host', () => {
  const SHAPES = [
    { type: 'box', halfExtents: [1, 1, 1] },
    { type: 'sphere', radius: 0.5 },
    { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
  ] as const;
  const PAIR = Uint32Array.of(0, 1);
  const linear = (change: (v: Float32Array) => void): unknown => {
    const bodies = good();
    change(bodies.linearVelocities);
    return bodies;
  };
  const angular = (change: (v: Float32Array) => void): unknown => {
    const bodies = good();
    change(bodies.angularVelocities!);
    return bodies;
  };

  const cases: [what: string, bodies: unknown, field: string, expected: RegExp, options?: object][] = [
    ['no bodies', undefined, 'bodies', /shapes/],
    ['no linear velocities', { ...good(), linearVelocities: undefined }, 'bodies.linearVelocities', /Float32Array/],
    [
      'linear velocities as an array',
      { ...good(), linearVelocities: [0, 0, 0, 0, 0, 0, 0, 0, 0] },
      'bodies.linearVelocities',
      /Float32Array/,
    ],
    [
      'linear velocities as Float64Array',
      { ...good(), linearVelocities: new Float64Array(9) },
      'bodies.linearVelocities',
      /Float32Array/,
    ],
    [
      'too few linear velocities',
      { ...good(), linearVelocities: new Float32Array(6) },
      'bodies.linearVelocities.length',
      /9 for 3 bodies/,
    ],
    [
      'too many linear velocities',
      { ...good(), linearVelocities: new Float32Array(12) },
      'bodies.linearVelocities.length',
      /9 for 3 bodies/,
    ],
    ['a NaN linear velocity', linear((v) => (v[4] = NaN)), 'bodies.linearVelocities[4]', /finite/],
    ['an infinite linear velocity', linear((v) => (v[0] = -Infinity)), 'bodies.linearVelocities[0]', /finite/],
    ['a linear velocity of 2e30', linear((v) => (v[8] = 2e30)), 'bodies.linearVelocities[8]', /1e30/],
    ['a NaN velocity of a body in no pair', linear((v) => (v[7] = NaN)), 'bodies.linearVelocities[7]', /finite/],
    ['angular velocities of null', { ...good(), angularVelocities: null }, 'bodies.angularVelocities', /Float32Array/],
    [
      'angular velocities as an array',
      { ...good(), angularVelocities: [0, 0, 0] },
      'bodies.angularVelocities',
      /Float32Array/,
    ],
    [
      'too few angular velocities',
      { ...good(), angularVelocities: new Float32Array(8) },
      'bodies.angularVelocities.length',
      /9 for 3 bodies/,
    ],
    ['a NaN angular velocity', angular((v) => (v[3] = NaN)), 'bodies.angularVelocities[3..5]', /finite/],
    ['an infinite angular velocity', angular((v) => (v[2] = Infinity)), 'bodies.angularVelocities[0..2]', /finite/],
    [
      'an infinite angular velocity of a body in no pair',
      angular((v) => (v[8] = -Infinity)),
      'bodies.angularVelocities[6..8]',
      /finite/,
    ],
    ['no duration', good(), 'options.duration', /seconds/, { duration: undefined }],
    ['a negative duration', good(), 'options.duration', /at least 0/, { duration: -1 }],
    ['a NaN duration', good(), 'options.duration', /at least 0/, { duration: NaN }],
    ['a duration in words', good(), 'options.duration', /number/, { duration: '1' }],
    ["'sat'", good(), 'options.algorithm', /'auto'.*'cast'/, { algorithm: 'sat' }],
    ["'mpr'", good(), 'options.algorithm', /'auto'.*'cast'/, { algorithm: 'mpr' }],
    ['an algorithm of null', good(), 'options.algorithm', /'auto'/, { algorithm: null }],
    ['unknown results', good(), 'options.results', /'all', 'hits' or 'earliest'/, { results: 'first' }],
    ['results of null', good(), 'options.results', /'all', 'hits' or 'earliest'/, { results: null }],
    ['a negative margin', good(), 'options.margin', /at least 0/, { margin: -0.1 }],
    ['a NaN margin', good(), 'options.margin', /at least 0/, { margin: NaN }],
    ['an endless margin', good(), 'options.margin', /a finite number of at least 0/, { margin: Infinity }],
    ['a margin in words', good(), 'options.margin', /number/, { margin: '1' }],
    ['escalate in words', good(), 'options.escalate', /boolean/, { escalate: 'yes' }],
    ['a signal that is none', good(), 'options.signal', /AbortSignal/, { signal: {} }],
    [
      'positions of two bodies',
      { ...good(), positions: new Float32Array(6) },
      'bodies.positions.length',
      /9 for 3 bodies/,
    ],
    [
      'a NaN position',
      { ...good(), positions: Float32Array.of(0, 0, 0, NaN, 0, 0, 0, 0, 0) },
      'bodies.positions[3]',
      /finite/,
    ],
    ['a shape that was not added', { ...good(), shapes: Uint32Array.of(0, 9, 2) }, 'bodies.shapes[1]', /added/],
  ];

  test.each(cases)('%s: refused by either tester', async (_, bodies, field, expected, options) => {
    for (const tester of [cpu, gpu]) {
      useShapes(
        tester,
        SHAPES.map((shape) => ({ ...shape })),
      );
      const found = await refusal(tester.impacts(bodies as MovingBodies, PAIR, { duration: 1, ...options } as never));
      expect(found).toEqual({ code: 'INVALID_INPUT', field, expected: expect.stringMatching(expected) });
    }
  });

  test('no options at all, bad pairs and two half-spaces: refused', async () => {
    useShapes(
      cpu,
      SHAPES.map((shape) => ({ ...shape })),
    );
    expect(await refusal(cpu.impacts(good(), PAIR, undefined as never))).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'options',
    });
    expect(await refusal(cpu.impacts(good(), PAIR, null as never))).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'options',
    });
    expect(await refusal(cpu.impacts(good(), Uint32Array.of(0, 3), { duration: 1 }))).toMatchObject({
      field: 'pairs[1]',
    });
    expect(await refusal(cpu.impacts(good(), Uint32Array.of(0), { duration: 1 }))).toMatchObject({
      field: 'pairs.length',
    });
    expect(
      await refusal(cpu.impacts({ ...good(), shapes: Uint32Array.of(2, 2, 2) }, PAIR, { duration: 1 })),
    ).toMatchObject({ field: 'pairs[1]' });
  });

  test('32 radians, any turning in no time, and other algorithms by name are taken', async () => {
    useShapes(
      cpu,
      SHAPES.map((shape) => ({ ...shape })),
    );
    expect((await cpu.impacts(angular((v) => (v[0] = 32)) as MovingBodies, PAIR, { duration: 1 })).count).toBe(1);
    expect((await cpu.impacts(angular((v) => (v[0] = 1e6)) as MovingBodies, PAIR, { duration: 0 })).count).toBe(1);
    for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const)
      expect((await cpu.impacts(good(), PAIR, { duration: 3, algorithm })).time[0]).toBe(1.5);
  });

  test('a body that turns too far makes its own pairs invalid, on either tester', async () => {
    const compound = { type: 'compound', parts: [{ shape: SHAPES[0] }] } as const;
    for (const tester of [cpu, gpu]) {
      useShapes(tester, [...SHAPES.map((shape) => ({ ...shape })), compound]);
      for (const [a, b, options] of [
        [0, 0, {}],
        [1, 0, {}],
        [2, 0, {}],
        [3, 0, {}],
        [3, 2, {}],
        [0, 3, { parts: 'all' }],
      ] as const) {
        const bodies: MovingBodies = {
          shapes: Uint32Array.of(0, 0, a, b, 0),
          positions: apart(5),
          quaternions: Float32Array.from({ length: 20 }, (_, i) => Number(i % 4 === 3)),
          linearVelocities: Float32Array.of(1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0),
          // Of body 2, and of body 4, which is in no pair.
          angularVelocities: Float32Array.of(0, 0, 0, 0, 8, 0, 0, 17, 0, 0, 0, 0, 1e9, 1e9, 3e38),
        };
        const pairs = Uint32Array.of(0, 1, 2, 3, 1, 3);
        const found = await tester.impacts(bodies, pairs, { duration: 2, ...options });
        const what = `${tester.backend}, shapes ${a} and ${b}`;
        expect(found.statusCounts[Status.InvalidInput], what).toBe(1);
        if (!('parts' in options)) {
          expect(found.status[1], what).toBe(Status.InvalidInput);
          expect([found.time[1], found.unclampedTime[1], ...found.normal.subarray(3, 6)], what).toEqual([
            0, 0, 0, 0, 0,
          ]);
          const alone = await tester.impacts(bodies, pairs.subarray(0, 2), { duration: 2 });
          expect([alone.status[0], alone.time[0]], what).toEqual([found.status[0], found.time[0]]);
        }
        const hits = await tester.impacts(bodies, pairs, { duration: 2, results: 'hits', ...options });
        expect([...hits.pair], what).not.toContain(1);
        expect(hits.statusCounts, what).toEqual(found.statusCounts);
        expect((await tester.findPairs(bodies, { duration: 2 })).length, what).toBeGreaterThan(0);
      }
    }
  });

  test('batches: refused by field', async () => {
    useShapes(
      gpu,
      SHAPES.map((shape) => ({ ...shape })),
    );
    const small = device.createBuffer({ label: 'test.velocities', size: 16, usage: 128 });
    const foreign = device.createBuffer({ label: 'test.velocities', size: 1024, usage: 4 });
    const fine = device.createBuffer({ label: 'test.velocities', size: 1024, usage: 128 });
    const options: [options: object, field: string][] = [
      [{ duration: undefined }, 'options.duration'],
      [{ duration: -1 }, 'options.duration'],
      [{ duration: NaN }, 'options.duration'],
      [{ turning: 1 }, 'options.turning'],
      [{ results: 'some' }, 'options.results'],
      [{ algorithm: 'sat' }, 'options.algorithm'],
      [{ algorithm: 'mpr' }, 'options.algorithm'],
      [{ margin: -1 }, 'options.margin'],
      [{ margin: Infinity }, 'options.margin'],
      [{ warmStart: true }, 'options.warmStart'],
      [{ velocities: {} }, 'options.velocities'],
      [{ velocities: small }, 'options.velocities.size'],
      [{ velocities: foreign }, 'options.velocities.usage'],
      [{ query: 'contacts' }, 'options.duration'],
      [{ query: 'contacts', duration: undefined, turning: true }, 'options.turning'],
      [{ query: 'contacts', duration: undefined, results: 'earliest' }, 'options.results'],
      [{ query: 'distances', duration: undefined, velocities: fine }, 'options.velocities'],
    ];
    for (const [change, field] of options) {
      const found = await refusal(
        gpu.createBatch({ query: 'impacts', maxBodies: 3, maxPairs: 2, duration: 1, ...change } as never),
      );
      expect(found, JSON.stringify(change)).toMatchObject({ code: 'INVALID_INPUT', field });
    }
    for (const buffer of [small, foreign, fine]) buffer.destroy();
  });

  test('what is written into a batch: refused by field, and nothing of it taken', async () => {
    useShapes(
      gpu,
      SHAPES.map((shape) => ({ ...shape })),
    );
    const batch = await gpu.createBatch({ query: 'impacts', maxBodies: 3, maxPairs: 2, duration: 2 });
    const { angularVelocities: _, ...straight } = good();
    batch.write({ bodies: straight, pairs: PAIR });
    const { linearVelocities: __, ...still } = straight;
    const writes: [data: unknown, field: string][] = [
      [{ bodies: still }, 'bodies.linearVelocities'],
      [{ bodies: good() }, 'bodies.angularVelocities'],
      [{ bodies: { ...straight, linearVelocities: new Float32Array(3) } }, 'bodies.linearVelocities.length'],
      [
        { bodies: { ...straight, linearVelocities: Float32Array.of(0, 0, 0, NaN, 0, 0, 0, 0, 0) } },
        'bodies.linearVelocities[3]',
      ],
      [{ bodies: straight, duration: -1 }, 'duration'],
      [{ duration: NaN }, 'duration'],
      [{ duration: '1' }, 'duration'],
      [{ duration: 5, pairs: Uint32Array.of(0, 3) }, 'pairs[1]'],
      [{ duration: 5, bodies: still }, 'bodies.linearVelocities'],
    ];
    for (const [data, field] of writes)
      expect(await refusal(() => batch.write(data as never)), JSON.stringify(data)).toMatchObject({
        code: 'INVALID_INPUT',
        field,
      });
    submit(batch as never);
    expect((await batch.read()).time[0]).toBe(1.5);
    batch.dispose();
    const contacts = await gpu.createBatch({ query: 'contacts', maxBodies: 3, maxPairs: 2 });
    expect(await refusal(() => contacts.write({ duration: 1 }))).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'duration',
    });
    contacts.dispose();
  });
});

interface BadBody {
  name: string;
  shape?: number;
  position?: number[];
  quaternion?: number[];
  scale?: number;
  linear?: number[];
  angular?: number[];
  /** Bad only where bodies turn. */
  ofTurning?: true;
}

function badBodies(shapeCount: number, duration: number): BadBody[] {
  return [
    ...[NaN, Infinity, -Infinity].flatMap((x) =>
      [0, 1, 2].map((k) => ({
        name: `a linear velocity of ${x} along axis ${k}`,
        linear: [0, 1, 2].map((l) => (l === k ? x : 1)),
      })),
    ),
    ...[NaN, Infinity, -Infinity].flatMap((x) =>
      [0, 1, 2].map((k) => ({
        name: `an angular velocity of ${x} along axis ${k}`,
        angular: [0, 1, 2].map((l) => (l === k ? x : 1)),
        ofTurning: true as const,
      })),
    ),
    { name: 'just more than 32 radians', angular: [0, 32.01 / duration, 0], ofTurning: true },
    { name: 'far more than 32 radians', angular: [1e6, 0, 0], ofTurning: true },
    { name: 'an angular velocity whose square is infinite', angular: [0, 0, 1e25], ofTurning: true },
    { name: 'a NaN in the position', position: [0, NaN, 0] },
    { name: 'an infinite position', position: [0, 0, Infinity] },
    { name: 'a zero quaternion', quaternion: [0, 0, 0, 0] },
    { name: 'scale 0', scale: 0 },
    { name: 'a shape index one too large', shape: shapeCount },
    { name: 'the largest shape index', shape: 0xffff_ffff },
  ];
}

describe('in buffers of the caller', () => {
  const PAIRS = 400;
  const STRIDE = 4;

  describe.each([false, true])('turning: %s', (turning) => {
    const family = movingFamily('box-box', PAIRS, SEED, { isTurning: true });
    const { duration } = family;
    const odd = badBodies(family.shapes.length, duration).filter(({ ofTurning }) => turning || !ofTurning);
    const goodCount = family.bodies.shapes.length;
    const bodyCount = goodCount + odd.length + 4;
    // Two bodies so far apart, and two so fast, that no f32 holds the difference.
    const bodies = {
      shapes: Uint32Array.from([...family.bodies.shapes, ...odd.map(({ shape = 0 }) => shape), 0, 0, 0, 0]),
      positions: Float32Array.from([
        ...family.bodies.positions,
        ...odd.flatMap(({ position = [0, 0, 0] }) => position),
        3e38,
        0,
        0,
        -3e38,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
      ]),
      quaternions: Float32Array.from([
        ...family.bodies.quaternions,
        ...odd.flatMap(({ quaternion = [0, 0, 0, 1] }) => quaternion),
        ...[0, 1, 2, 3].flatMap(() => [0, 0, 0, 1]),
      ]),
      scales: Float32Array.from([
        ...family.bodies.shapes.map(() => 1),
        ...odd.map(({ scale = 1 }) => scale),
        1,
        1,
        1,
        1,
      ]),
      linearVelocities: Float32Array.from([
        ...family.bodies.linearVelocities,
        ...odd.flatMap(({ linear = [1, 0, 0] }) => linear),
        0,
        0,
        0,
        0,
        0,
        0,
        3e38,
        0,
        0,
        -3e38,
        0,
        0,
      ]),
      angularVelocities: Float32Array.from([
        ...family.bodies.angularVelocities!,
        ...odd.flatMap(({ angular = [0, 0, 0] }) => angular),
        ...Array.from({ length: 12 }, () => 0),
      ]),
    };
    const badPairs = [
      ...odd.flatMap(({ name }, i) => [
        { name: `A has ${name}`, a: goodCount + i, b: i },
        { name: `B has ${name}`, a: i, b: goodCount + i },
        { name: `both have ${name}`, a: goodCount + i, b: goodCount + i },
      ]),
      { name: 'positions 6e38 apart', a: bodyCount - 4, b: bodyCount - 3 },
      { name: 'velocities 6e38 apart', a: bodyCount - 2, b: bodyCount - 1 },
      { name: 'A is one body too far', a: bodyCount, b: 0 },
      { name: 'B is one body too far', a: 0, b: bodyCount },
      { name: 'B is the largest index', a: 0, b: 0xffff_ffff },
    ];
    const mixed: number[] = [];
    const badAt = new Map<number, string>();
    for (let n = 0; n < PAIRS; n++) {
      mixed.push(2 * n, 2 * n + 1);
      if (n % STRIDE !== 0) continue;
      const { name, a, b } = badPairs[(n / STRIDE) % badPairs.length];
      badAt.set(mixed.length / 2, name);
      mixed.push(a, b);
    }
    const pairs = Uint32Array.from(mixed);

    /** The batch's answer on buffers that nobody validated, and its records as they are on the GPU. */
    async function answer(
      of: typeof bodies,
      list: Uint32Array,
      results: BatchOptions<'impacts'>['results'],
      algorithm: 'auto' | 'cast' = 'auto',
    ): Promise<{ found: Impacts; records: Uint32Array; first?: Uint32Array }> {
      useShapes(gpu, family.shapes);
      // Quaternions are normalised on the way in, of which bad ones have no way.
      const poses = packBodies(of, dimension3).poses;
      const words = layouts.Pose.size / 4;
      of.quaternions.forEach((x, i) => {
        if (i >= 4 * goodCount)
          poses[words * Math.floor(i / 4) + layouts.Pose.fields.quaternion.offset / 4 + (i % 4)] = x;
      });
      const { linearVelocities: linear, angularVelocities: angular } = of;
      return withoutErrors(device, async () => {
        const batch: Batch<Impacts> = await gpu.createBatch({
          query: 'impacts',
          maxBodies: bodyCount,
          maxPairs: list.length / 2,
          duration,
          turning,
          results,
          algorithm,
          poses: storageBuffer(device, 'test.poses', poses),
          shapes: storageBuffer(device, 'test.shapes', of.shapes as Uint32Array<ArrayBuffer>),
          velocities: storageBuffer(
            device,
            'test.velocities',
            packVelocities({ linear, angular, duration: 0 }, dimension3),
          ),
          pairs: storageBuffer(device, 'test.pairs', list as Uint32Array<ArrayBuffer>),
        });
        submit(batch as never);
        const found = await batch.read();
        const records = new Uint32Array(await readBuffer(device, batch.output.records));
        const first = batch.output.first && new Uint32Array(await readBuffer(device, batch.output.first));
        batch.dispose();
        return { found, records, first };
      });
    }

    const clean = {
      ...bodies,
      shapes: bodies.shapes.map((shape, i) => (i < goodCount ? shape : 0)),
      linearVelocities: bodies.linearVelocities.map((x, i) => (i < 3 * goodCount ? x : 0)),
      angularVelocities: bodies.angularVelocities.map((x, i) => (i < 3 * goodCount ? x : 0)),
    };

    test.each(['auto', 'cast'] as const)(
      'a bad pair has a status of its own and zeros, every other one the bits of a clean run, by %s',
      async (algorithm) => {
        const words = layouts.Impact.size / 4;
        const expected = await answer(clean, family.pairs, 'all', algorithm);
        const { found, records } = await answer(bodies, pairs, 'all', algorithm);
        expect(new Set(badAt.values()).size).toBe(badPairs.length);
        let n = 0;
        for (let pair = 0; pair < pairs.length / 2; pair++) {
          const record = Array.from(records.subarray(words * pair, words * (pair + 1)));
          const bad = badAt.get(pair);
          if (bad)
            expect(record, `${bad}, pair ${pair}`).toEqual(
              Array.from({ length: words }, (_, word) =>
                word === layouts.Impact.fields.info.offset / 4 ? Status.InvalidInput : 0,
              ),
            );
          else
            expect(record, `good pair ${n}, seed ${SEED}`).toEqual(
              Array.from(expected.records.subarray(words * n, words * ++n)),
            );
        }
        expect(n).toBe(PAIRS);
        expect(found.statusCounts[Status.InvalidInput]).toBe(badAt.size);
        expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(PAIRS / 4);
        const [bad] = badAt.keys();
        expect([...found][bad]).toEqual({
          pair: bad,
          status: Status.InvalidInput,
          time: 0,
          unclampedTime: 0,
          normal: [0, 0, 0],
          point: [0, 0, 0],
          iterations: 0,
        });
      },
    );

    test.each(['hits', 'earliest'] as const)("bad pairs are none of the results: '%s'", async (results) => {
      const expected = await answer(clean, family.pairs, results);
      const { found, first } = await answer(bodies, pairs, results);
      const goodPairs = Array.from({ length: pairs.length / 2 }, (_, pair) => pair).filter((pair) => !badAt.has(pair));
      expect(Array.from(found.pair)).toEqual(Array.from(expected.found.pair, (pair) => goodPairs[pair]));
      expect(found.count).toBeGreaterThan(PAIRS / 4);
      expect(Array.from(found.unclampedTime)).toEqual(Array.from(expected.found.unclampedTime));
      if (results === 'hits') return;
      expect(Array.from(first!.subarray(0, goodCount))).toEqual(
        Array.from(expected.first!.subarray(0, goodCount), (pair) => goodPairs[pair] ?? 0xffff_ffff),
      );
      expect(new Set(first!.subarray(goodCount))).toEqual(new Set([0xffff_ffff]));
    });

    if (!turning) {
      test('angular velocities are not looked at', async () => {
        const unread = {
          ...bodies,
          angularVelocities: bodies.angularVelocities.map((_, i) => [NaN, Infinity, 1e30][i % 3]),
        };
        const { found } = await answer(unread, family.pairs, 'all');
        expect(found.statusCounts[Status.InvalidInput]).toBe(0);
        expect(Array.from(found.time)).toEqual(Array.from((await answer(clean, family.pairs, 'all')).found.time));
      });
    }
  });

  test.each([false, true])(
    'an endless duration is one of bodies that do not turn, as the batch is made and later; turning: %s',
    async (turning) => {
      const family = movingFamily('box-box', 50, SEED);
      useShapes(gpu, family.shapes);
      const expected = await gpu.impacts(family.bodies, family.pairs, { duration: Infinity });
      const bodies = { ...family.bodies, ...(turning && { angularVelocities: new Float32Array(300) }) };
      for (const made of turning ? [Infinity] : [Infinity, 1]) {
        const batch = await gpu.createBatch({
          query: 'impacts',
          maxBodies: 100,
          maxPairs: 50,
          duration: made,
          turning,
        });
        batch.write({ bodies, pairs: family.pairs, ...(made === 1 && { duration: Infinity }) });
        submit(batch as never);
        const found = await batch.read();
        expect(found.statusCounts, `made with ${made}`).toEqual(expected.statusCounts);
        const off = Array.from(found.time, (time, i) =>
          Number.isFinite(expected.time[i]) ? Math.abs(time - expected.time[i]) : Number(time !== expected.time[i]),
        );
        expect(Math.max(...off)).toBeLessThan(1e-5);
        batch.dispose();
      }
    },
  );

  test('a duration that is too long for how bodies turn makes their pairs invalid', async () => {
    const family = movingFamily('box-box', 50, SEED, { isTurning: true });
    useShapes(gpu, family.shapes);
    const own = await gpu.createBatch({
      query: 'impacts',
      maxBodies: 100,
      maxPairs: 50,
      duration: family.duration,
      turning: true,
    });
    own.write({ bodies: family.bodies, pairs: family.pairs });
    submit(own as never);
    expect((await own.read()).statusCounts[Status.InvalidInput]).toBe(0);
    own.write({ duration: 100 });
    submit(own as never);
    const ofHost = await own.read();
    own.dispose();
    const { linearVelocities: linear, angularVelocities: angular } = family.bodies;
    const velocities = storageBuffer(
      device,
      'test.velocities',
      packVelocities({ linear, angular, duration: 0 }, dimension3),
    );
    const batch = await gpu.createBatch({
      query: 'impacts',
      maxBodies: 100,
      maxPairs: 50,
      duration: family.duration,
      turning: true,
      velocities,
    });
    batch.write({ bodies: family.bodies, pairs: family.pairs });
    submit(batch as never);
    expect((await batch.read()).statusCounts[Status.InvalidInput]).toBe(0);
    batch.write({ duration: 100 });
    submit(batch as never);
    const { status } = await batch.read();
    const turns = (body: number): number =>
      100 * Math.hypot(...family.bodies.angularVelocities!.subarray(3 * body, 3 * body + 3));
    const invalid = Array.from(status, (_, pair) => Math.max(turns(2 * pair), turns(2 * pair + 1)) > 32);
    expect(Array.from(status, (found) => found === Status.InvalidInput)).toEqual(invalid);
    expect([...ofHost.status]).toEqual([...status]);
    expect(invalid.filter(Boolean).length).toBeGreaterThan(20);
    batch.dispose();
  });
});
