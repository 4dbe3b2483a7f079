/**
 * Impacts on the GPU and of the CPU tester against the oracle, of all types of shape in one query, and what the options
 * of a query do. One type pair alone: impacts-kinds.night.test.ts.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_KIND } from '../../src/generated/constants.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { createTester } from '../../src/node.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { Status, type Impacts, type ImpactOptions, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { rotationMatrix } from '../../verification/oracle/shape.ts';
import { joinMoving, type MovingFamily } from '../../verification/families/moving-family.ts';
import { makeGearedPrisms } from '../../verification/families/geared-prisms.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { askReference, impactAt, movingPairsOf } from '../../verification/judges/moving-pairs.ts';
import { columnsOf, faultsOf, movingFamily, noOutcomes, shapePairNames, type Outcomes } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';
import { planQuery } from '../helpers/plan-query.ts';

const SEED = 20_261_303;
const PER_TYPES = { straight: atNight(40, 120), turning: atNight(16, 50) };

let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

/** Pairs of each two types of shape. */
function everything(count: number, isTurning: boolean): MovingFamily {
  return joinMoving(
    'all types',
    shapePairNames.map((name) => movingFamily(name, count, SEED, { isTurning })),
  );
}

describe.each(['straight', 'turning'] as const)('all types of shape in one query, %s', (motion) => {
  const count = PER_TYPES[motion];
  const family = everything(count, motion === 'turning');
  const { bodies, duration } = family;
  const pairs = movingPairsOf(family);
  const known = pairs.map((pair) => askReference(pair, { duration }).time);
  const label = (index: number): string =>
    `${shapePairNames[Math.floor(index / count)]}, seed ${SEED}, pair ${index % count}, ${family.courses[index]}`;
  let found: Impacts;

  /** Judges the impacts of some of the family's pairs, in any order. */
  const judge = (pairList: Uint32Array, result: Impacts): Outcomes => {
    const outcomes = noOutcomes();
    const chosen = Array.from(result.pair, (pair) => pairs[pairList[2 * pair] / 2]);
    const at = (i: number): number => pairList[2 * result.pair[i]] / 2;
    const faults = faultsOf(
      chosen,
      (i) => impactAt(result, i),
      (i) => ({ precision: 'kernels', duration, known: known[at(i)] }),
      (i) => label(at(i)),
      outcomes,
    );
    expect(faults).toEqual([]);
    return outcomes;
  };

  beforeAll(async () => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    found = await gpu.impacts(bodies, family.pairs, { duration });
  });

  test('one kernel for any two kinds answers them', () => {
    const shapes = createShapeTable();
    for (const shape of family.shapes) addShape(shapes, shape, dimension3);
    const { steps } = planQuery(
      spatialPlanner,
      {
        query: 'impacts',
        bodies,
        pairs: family.pairs,
        shapes,
        leadStage: 'sat',
        margin: 0,
        motion: { linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration },
      },
      SOFTWARE,
    );
    const kernels = steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : []));
    expect(kernels.map(({ kernel }) => kernel)).toEqual([
      'impacts-closed',
      'impacts-cast',
      ...(motion === 'turning' ? ['impacts-rotating'] : []),
    ]);
    expect(kernels.every(({ constants }) => constants?.KIND_A === ANY_KIND)).toBe(true);
  });

  test('the GPU gives the first touch', () => {
    expect(found.count).toBe(pairs.length);
    const { missed, met, overlapped, stood, open } = judge(family.pairs, found);
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(0.15 * pairs.length);
    expect(stood).toBeGreaterThan(0.02 * pairs.length);
    expect(open).toBeLessThan(pairs.length / 500);
    expect(found.statusCounts).toEqual([missed, met + overlapped + stood, open, 0, 0]);
  });

  test('and so does the CPU tester', async () => {
    const result = await cpu.impacts(bodies, family.pairs, { duration });
    const { missed, met, open } = judge(family.pairs, result);
    expect(Math.min(missed, met)).toBeGreaterThan(0.15 * pairs.length);
    expect(open).toBeLessThan(pairs.length / 500);
  });

  test.each(['webgpu', 'cpu'] as const)(
    "on %s results: 'hits' are the hits of all results, in ascending order",
    async (backend) => {
      const tester = backend === 'cpu' ? cpu : gpu;
      const all = await tester.impacts(bodies, family.pairs, { duration });
      const hits = await tester.impacts(bodies, family.pairs, { duration, results: 'hits' });
      const wanted = Array.from(all.pair).filter((pair) => all.status[pair] !== Status.Separated);
      expect(Array.from(hits.pair)).toEqual(wanted);
      expect(hits.statusCounts).toEqual(all.statusCounts);
      for (const [name, width] of [
        ['status', 1],
        ['time', 1],
        ['unclampedTime', 1],
        ['iterations', 1],
        ['normal', 3],
        ['point', 3],
      ] as const) {
        const filtered = wanted.flatMap((slot) => Array.from(all[name].subarray(width * slot, width * slot + width)));
        expect(Array.from(hits[name]), name).toEqual(filtered);
      }
    },
  );

  test('a repeated run gives the same bits, and so do its items', async () => {
    const again = await gpu.impacts(bodies, family.pairs, { duration });
    expect(columnsOf(again)).toEqual(columnsOf(found));
    const items = [...found];
    expect(items.length).toBe(found.count);
    for (const slot of [0, 1, found.count - 1]) {
      const { status, time, unclampedTime, normal, point } = impactAt(found, slot);
      expect(items[slot]).toEqual({
        pair: slot,
        status,
        time,
        unclampedTime,
        normal: Array.from(normal),
        point: Array.from(point),
        iterations: found.iterations[slot],
      });
    }
  });

  // Kernels for such positions are compiled again: bodies that turn have theirs in impacts-degenerate.test.ts.
  if (motion === 'straight') {
    test('64-bit positions 1,000 km out give the same times, points and normals', async () => {
      const far = [2 ** 20, -(2 ** 20), 2 ** 19];
      const positions = Float64Array.from(bodies.positions, (x, i) => x + far[i % 3]);
      const wide = await gpu.impacts({ ...bodies, positions }, family.pairs, { duration });
      expect(wide.point).toBeInstanceOf(Float64Array);
      const near = {
        ...wide,
        point: wide.point.map((x, i) => (wide.status[Math.floor(i / 3)] === Status.Overlapping ? x - far[i % 3] : x)),
      };
      const { open } = judge(family.pairs, near as Impacts);
      expect(open).toBeLessThan(pairs.length / 500);
    });
  }

  test('lengths of another scale change nothing in time', async () => {
    for (const octaves of [-8, 8]) {
      const factor = 2 ** octaves;
      const scaled = {
        ...bodies,
        positions: bodies.positions.map((x) => factor * x) as Float32Array,
        linearVelocities: bodies.linearVelocities.map((x) => factor * x),
        scales: bodies.scales!.map((x) => factor * x),
      };
      const result = await gpu.impacts(scaled, family.pairs, { duration });
      const back = { ...result, point: result.point.map((x) => x / factor) };
      judge(family.pairs, back as Impacts);
      // Powers of two round nothing.
      const same = Array.from(found.pair).filter((i) => result.unclampedTime[i] === found.unclampedTime[i]);
      expect(same.length).toBeGreaterThan(0.99 * found.count);
    }
  });

  test('bodies by matrix give what they give by position and rotation', async () => {
    const matrices = new Float32Array(16 * bodies.shapes.length);
    for (let body = 0; body < bodies.shapes.length; body++) {
      const r = rotationMatrix(bodies.quaternions.subarray(4 * body, 4 * body + 4));
      const scale = bodies.scales![body];
      for (let k = 0; k < 3; k++) {
        for (let l = 0; l < 3; l++) matrices[16 * body + 4 * l + k] = scale * r[3 * k + l];
        matrices[16 * body + 12 + k] = bodies.positions[3 * body + k];
      }
      matrices[16 * body + 15] = 1;
    }
    const { shapes, linearVelocities, angularVelocities } = bodies;
    const result = await gpu.impacts({ shapes, matrices, linearVelocities, angularVelocities }, family.pairs, {
      duration,
    });
    // The nine numbers of a rotation are rounded, so that a pair in hundreds grazes where it passed.
    const other = Array.from(result.pair).filter((i) => result.status[i] !== found.status[i]);
    expect(other.length).toBeLessThan(found.count / 100);
    const off = Array.from(result.pair).filter((i) => {
      if (result.status[i] !== found.status[i] || !Number.isFinite(found.unclampedTime[i])) return false;
      const speed = Math.hypot(...pairs[i].velocity);
      return Math.abs(result.unclampedTime[i] - found.unclampedTime[i]) * speed > 1e-4 * pairs[i].size;
    });
    expect(off.length).toBeLessThan(found.count / 50);
  });

  test('some of the pairs, in another order, and with the bodies swapped', async () => {
    const chosen = Array.from({ length: pairs.length }, (_, i) => i)
      .filter((i) => i % 3 === 0)
      .reverse();
    const list = Uint32Array.from(chosen.flatMap((i) => [2 * i, 2 * i + 1]));
    judge(list, await gpu.impacts(bodies, list, { duration }));
    const swapped = Uint32Array.from(chosen.flatMap((i) => [2 * i + 1, 2 * i]));
    const turned = await gpu.impacts(bodies, swapped, { duration });
    const outcomes = noOutcomes();
    const others = chosen.map((i) => ({
      ...pairs[i],
      a: pairs[i].b,
      b: pairs[i].a,
      cpuA: pairs[i].cpuB,
      cpuB: pairs[i].cpuA,
      velocity: pairs[i].velocity.map((x) => -x),
    }));
    expect(
      faultsOf(
        others,
        (i) => impactAt(turned, i),
        (i) => ({ precision: 'kernels', duration, known: known[chosen[i]] }),
        (i) => `${label(chosen[i])}, swapped`,
        outcomes,
      ),
    ).toEqual([]);
    expect(outcomes.met).toBeGreaterThan(0.15 * chosen.length);
  });

  test.each([0.25])('with a margin of %d they meet at that distance', async (margin) => {
    for (const tester of [gpu, cpu]) {
      const result = await tester.impacts(bodies, family.pairs, { duration, margin });
      const outcomes = noOutcomes();
      const faults = faultsOf(
        pairs,
        (i) => impactAt(result, i),
        (_, pair) => ({ precision: 'kernels', duration, margin, known: askReference(pair, { duration, margin }).time }),
        (i) => `margin ${margin}, ${tester.backend}, ${label(i)}`,
        outcomes,
      );
      expect(faults).toEqual([]);
      expect(Math.min(outcomes.missed, outcomes.met, outcomes.overlapped)).toBeGreaterThan(0.1 * pairs.length);
    }
  });
});

describe('a target', () => {
  const family = movingFamily('sphere/sphere', 300, SEED);
  const { bodies, pairs, duration } = family;

  test.each(['webgpu', 'cpu'] as const)(
    'is written again on %s, and may be longer than the result',
    async (backend) => {
      const tester = backend === 'cpu' ? cpu : gpu;
      useShapes(tester, family.shapes);
      for (const results of ['all', 'hits', 'earliest'] as const) {
        const target = await tester.impacts(bodies, pairs, { duration });
        const part = pairs.subarray(100, 500);
        const fresh = await tester.impacts(bodies, part, { duration, results });
        const again = await tester.impacts(bodies, part, { duration, results, target });
        expect(columnsOf(again)).toEqual(columnsOf(fresh));
        expect(again.time.buffer).toBe(target.time.buffer);
        expect(again.point.buffer).toBe(target.point.buffer);
        expect([...again].length).toBe(again.count);
      }
    },
  );

  test('that is too short, or of another query, is refused', async () => {
    useShapes(gpu, family.shapes);
    const target = await gpu.impacts(bodies, pairs.subarray(0, 100), { duration });
    const ask = (given: unknown, results: ImpactOptions['results'] = 'all') =>
      gpu.impacts(bodies, pairs, { duration, results, target: given as Impacts });
    await expect(ask(target)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.pair is .*50.*at least 300/),
    });
    const contacts = await gpu.contacts(bodies, pairs);
    await expect(ask(contacts)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.time is /),
    });
    const wide = await gpu.impacts({ ...bodies, positions: Float64Array.from(bodies.positions) }, pairs, { duration });
    await expect(ask(wide)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.point is /),
    });
    expect((await ask(undefined)).count).toBe(300);
  });
});

describe('many pairs', () => {
  /**
   * Balls in a row of rows that fly at each other: ball i of the first half at ball i of the second, some too slowly to
   * meet, some past it.
   */
  const HALF = 4096;
  const random = createRandom(SEED);
  const gaps = Float32Array.from({ length: HALF }, () => uniform(random, 0.25, 4));
  const bodies: MovingBodies = {
    shapes: new Uint32Array(2 * HALF),
    positions: new Float32Array(6 * HALF),
    quaternions: Float32Array.from({ length: 8 * HALF }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    linearVelocities: new Float32Array(6 * HALF),
  };
  for (let i = 0; i < HALF; i++) {
    bodies.positions!.set([0, 0, i], 3 * i);
    bodies.positions!.set([1 + gaps[i], 0, i], 3 * (HALF + i));
    bodies.linearVelocities.set([i % 3, 0, 0], 3 * i);
    bodies.linearVelocities.set([-(i % 2), i % 5 === 4 ? 1000 : 0, 0], 3 * (HALF + i));
  }
  /** When ball i meets its partner. */
  const timeOf = (i: number): number => {
    const speed = (i % 3) + (i % 2);
    if (i % 5 === 4 || speed === 0) return Infinity;
    return gaps[i] / speed <= 1 ? gaps[i] / speed : Infinity;
  };
  const COUNT = 300_000;
  const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, k) =>
    k % 2 === 0 ? (k >> 1) % HALF : HALF + ((k >> 1) % HALF),
  );

  test('over several chunks have the times that each has alone', async () => {
    useShapes(gpu, [{ type: 'sphere', radius: 0.5 }]);
    const all = await gpu.impacts(bodies, pairs, { duration: 1 });
    expect(all.count).toBe(COUNT);
    let wrong = 0;
    let met = 0;
    for (let pair = 0; pair < COUNT; pair++) {
      const time = timeOf(pair % HALF);
      if (time < Infinity) met++;
      if (
        all.pair[pair] !== pair ||
        (time === Infinity ? all.time[pair] !== Infinity : !(Math.abs(all.time[pair] - time) <= 2e-5))
      )
        wrong++;
    }
    expect(wrong).toBe(0);
    expect(met).toBeGreaterThan(COUNT / 10);
    expect(all.statusCounts).toEqual([COUNT - met, met, 0, 0, 0]);
    const hits = await gpu.impacts(bodies, pairs, { duration: 1, results: 'hits' });
    expect(hits.count).toBe(met);
    expect(
      hits.pair.every((pair, slot) => timeOf(pair % HALF) < Infinity && (slot === 0 || hits.pair[slot - 1] < pair)),
    ).toBe(true);
    expect(hits.statusCounts).toEqual(all.statusCounts);
  });

  test('none at all give an empty result', async () => {
    useShapes(gpu, [{ type: 'sphere', radius: 0.5 }]);
    for (const results of ['all', 'hits', 'earliest'] as const) {
      const found = await gpu.impacts(bodies, new Uint32Array(0), { duration: 1, results });
      expect([found.count, [...found], found.statusCounts]).toEqual([0, [], [0, 0, 0, 0, 0]]);
      expect(found.first?.every((slot) => slot === 0xffff_ffff) ?? results !== 'earliest').toBe(true);
    }
  });
});

describe('pairs that the kernels leave open', () => {
  const family = makeGearedPrisms(40, 3);
  const { bodies, pairs, duration } = family;

  test.each(['all', 'hits'] as const)("get the reference's answer with escalate, results: '%s'", async (results) => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    const before = await gpu.impacts(bodies, pairs, { duration, results });
    const after = await gpu.impacts(bodies, pairs, { duration, results, escalate: true });
    const reference = await cpu.impacts(bodies, pairs, { duration });
    const open = Array.from(before.pair).filter((_, slot) => before.status[slot] === Status.NotConverged);
    expect(open.length).toBeGreaterThan(2);
    const slots = new Map(Array.from(after.pair, (pair, slot) => [pair, slot]));
    for (const pair of open) {
      const slot = slots.get(pair);
      if (slot === undefined) {
        expect(results).toBe('hits');
        expect(reference.status[pair]).toBe(Status.Separated);
        continue;
      }
      expect(impactAt(after, slot)).toEqual(impactAt(reference, pair));
    }
    expect(after.statusCounts[Status.NotConverged]).toBeLessThanOrEqual(
      open.filter((pair) => reference.status[pair] === Status.NotConverged).length,
    );
    expect(after.statusCounts.reduce((sum, n) => sum + n, 0)).toBe(pairs.length / 2);
  });
});

describe('durations', () => {
  const family = movingFamily('capsule/hull', 200, SEED);
  const { bodies, pairs } = family;

  test('zero: what touches or overlaps, at once', async () => {
    useShapes(gpu, family.shapes);
    const { status, time } = await gpu.impacts(bodies, pairs, { duration: 0 });
    const apart = await gpu.contacts(bodies, pairs, { margin: Infinity });
    let overlapping = 0;
    for (let i = 0; i < status.length; i++) {
      const { distance } = [...apart][i];
      if (Math.abs(distance) < 1e-4) continue;
      expect(time[i], `seed ${SEED}, pair ${i}`).toBe(distance < 0 ? 0 : Infinity);
      if (distance < 0) overlapping++;
    }
    expect(overlapping).toBeGreaterThan(20);
  });

  test('endless: whatever meets at all, angular velocities of 0 or none', async () => {
    useShapes(gpu, family.shapes);
    useShapes(cpu, family.shapes);
    const still = { ...bodies, angularVelocities: new Float32Array(3 * bodies.shapes.length) };
    const reference = await cpu.impacts(bodies, pairs, { duration: Infinity });
    for (const given of [bodies, still]) {
      const found = await gpu.impacts(given, pairs, { duration: Infinity });
      expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
      const others = Array.from(found.pair).filter((i) => found.status[i] !== reference.status[i]);
      expect(others.length).toBeLessThanOrEqual(2);
      expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(50);
    }
  });
});
