/**
 * Impacts on the GPU and of the CPU tester against the oracle, of all types of shape in one query, and what the options
 * of a query do. One type pair alone: impacts-kinds.night.test.ts.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_KIND } from '../../src/generated/constants.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { impactPlanner } from '../../src/gpu/impact-plan.ts';
import { createTester } from '../../src/node.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { Status, type Impacts, type Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { rotationMatrix } from '../../verification/oracle/shape.ts';
import { joinMoving, type MovingFamily } from '../../verification/families/moving-family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { askReference, impactAt, movingPairsOf } from '../../verification/judges/moving-pairs.ts';
import { columnsOf, faultsOf, movingFamily, noOutcomes, shapePairNames, type Outcomes } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';
import { planQuery } from '../helpers/plan-query.ts';

const SEED = 20_261_303;
const PER_TYPES = { straight: atNight(40, 120), turning: atNight(16, 50) };
/** In CI half of each two types, among them every type: most of the time goes into their shapes. */
const TYPES = atNight(
  shapePairNames.filter((_, i) => i % 2 === 0),
  shapePairNames,
);

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

/** Pairs of these types of shape. */
function everything(count: number, isTurning: boolean): MovingFamily {
  return joinMoving(
    'all types',
    TYPES.map((name) => movingFamily(name, count, SEED, { isTurning })),
  );
}

describe.each(['straight', 'turning'] as const)('all types of shape in one query, %s', (motion) => {
  const count = PER_TYPES[motion];
  const family = everything(count, motion === 'turning');
  const { bodies, duration } = family;
  const pairs = movingPairsOf(family);
  const known = pairs.map((pair) => askReference(pair, { duration }).time);
  const label = (index: number): string =>
    `${TYPES[Math.floor(index / count)]}, seed ${SEED}, pair ${index % count}, ${family.courses[index]}`;
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
      impactPlanner,
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

describe('durations', () => {
  const family = movingFamily('capsule/hull', 200, SEED);
  const { bodies, pairs } = family;

  test('zero: what touches or overlaps, at once', async () => {
    useShapes(gpu, family.shapes);
    const { time } = await gpu.impacts(bodies, pairs, { duration: 0 });
    const apart = await gpu.contacts(bodies, pairs, { margin: Infinity });
    let overlapping = 0;
    for (const [i, { distance }] of [...apart].entries()) {
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
