/**
 * What the kernels of the input report to the host: the lowest index that validation may refuse, and the shapes and kinds
 * in use. Velocities have the records of the host.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import {
  KIND_COUNT,
  REPORT_BODY,
  REPORT_KINDS,
  REPORT_PAIR,
  REPORT_SHAPES,
  REPORT_VELOCITY,
} from '../../src/generated/constants.ts';
import { NarrowphaseError } from '../../src/api/errors.ts';
import type { AnyBodies, BodyMotion } from '../../src/records/bodies.ts';
import { packVelocities } from '../../verification/records/packed-bodies.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { checkPairs } from '../../src/request/validate-bodies.ts';
import { readMotion } from '../../src/request/validate-motion.ts';
import { addShape, createShapeTable, removeShape, type ShapeTable } from '../../src/shapes/shape-table.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { createInputKernels, type InputKernels } from '../helpers/input-kernels.ts';
import { pairFacts } from '../helpers/plan-query.ts';
import { indexIn, isRefused } from '../helpers/packed-bodies.ts';

const SEED = 20_261_126;

const dimensions: { name: string; dimension: Dimension; shapes: object[] }[] = [
  {
    name: '3-D',
    dimension: dimension3,
    shapes: [
      { type: 'sphere', radius: 1 },
      { type: 'box', halfExtents: [1, 2, 3] },
      { type: 'capsule', halfHeight: 1, radius: 1 },
      { type: 'cone', halfHeight: 1, radius: 1 },
      { type: 'halfspace', normal: [0, 1, 0], offset: 2 },
    ],
  },
  {
    name: '2-D',
    dimension: dimension2,
    shapes: [
      { type: 'circle', radius: 1 },
      { type: 'rectangle', halfExtents: [1, 2] },
      { type: 'capsule', halfHeight: 1, radius: 1 },
      { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
    ],
  },
];

let kernels: InputKernels;
beforeAll(async () => {
  kernels = await createInputKernels();
});
afterAll(() => kernels?.dispose());

/** Numbers that have a bit in the words from `first` on. */
function bitsFrom(report: Uint32Array, first: number, end: number): number[] {
  return Array.from({ length: 32 * (end - first) }, (_, bit) => bit).filter(
    (bit) => (report[first + (bit >> 5)] >>> (bit & 31)) & 1,
  );
}

describe.each(dimensions)('$name', ({ dimension, shapes }) => {
  const axes = dimension.dimension;

  /** 100 shapes of all kinds, of which each tenth is removed. */
  function makeTable(): ShapeTable {
    const table = createShapeTable();
    for (let i = 0; i < 100; i++) addShape(table, shapes[i % shapes.length], dimension);
    for (let i = 9; i < 100; i += 10) removeShape(table, i);
    return table;
  }

  function randomBodies(random: Random, count: number, isWide: boolean): AnyBodies {
    const ids = Array.from({ length: count }, () => below(random, 9) + 10 * below(random, 10));
    const positions = new (isWide ? Float64Array : Float32Array)(axes * count).map(() => 10 * random());
    const common = {
      shapes: Uint32Array.from(ids),
      positions,
      scales: new Float32Array(count).map(() => 0.5 + random()),
    };
    const turn = (): number => 2 * random() - 1;
    if (axes === 2) return { ...common, angles: new Float32Array(count).map(turn) };
    return { ...common, quaternions: new Float32Array(4 * count).map((_, i) => (i % 4 === 3 ? 1 : turn())) };
  }

  /** Makes a body invalid in one of the ways that there are. */
  function spoil(random: Random, bodies: AnyBodies, table: ShapeTable, body: number): void {
    const bad = [NaN, Infinity, -Infinity, 2e30, -3e38];
    switch (below(random, 5)) {
      case 0:
        bodies.shapes[body] = [9, 99, table.shapes.length, 0xffff_ffff][below(random, 4)];
        break;
      case 1:
        bodies.positions[axes * body + below(random, axes)] = bad[below(random, bad.length)];
        break;
      case 2:
        bodies.scales![body] = [NaN, Infinity, 0, -1, -0, 2e15][below(random, 6)];
        break;
      case 3:
        if ('quaternions' in bodies) bodies.quaternions.fill(1e-9 * random(), 4 * body, 4 * body + 4);
        else (bodies.angles as Float32Array)[body] = NaN;
        break;
      default:
        if ('quaternions' in bodies) bodies.quaternions[4 * body + below(random, 4)] = bad[below(random, 3)];
        else (bodies.angles as Float32Array)[body] = bad[below(random, 3)];
    }
  }

  test.each([false, true])('the lowest of several invalid bodies is named; 64-bit positions: %s', async (isWide) => {
    const random = createRandom(SEED);
    const table = makeTable();
    for (let run = 0; run < 40; run++) {
      const count = 1 + below(random, 5000);
      const bodies = randomBodies(random, count, isWide);
      expect(isRefused(bodies, table, dimension)).toBe(false);
      const spoiled = Array.from({ length: below(random, 5) }, () => below(random, count));
      if (run % 4 === 0) spoiled.push(count - 1);
      for (const body of spoiled) spoil(random, bodies, table, body);
      expect(isRefused(bodies, table, dimension)).toBe(spoiled.length > 0);
      const { report } = await kernels.packBodies(bodies, table, dimension);
      const lowest = spoiled.length > 0 ? Math.min(...spoiled) : undefined;
      expect(indexIn(report, REPORT_BODY), `seed ${SEED}, run ${run}`).toBe(lowest);
    }
  });

  test('shapes in use are marked', async () => {
    const random = createRandom(SEED + 1);
    const table = makeTable();
    for (const count of [1, 30, 70_000]) {
      const bodies = randomBodies(random, count, false);
      const { report } = await kernels.packBodies(bodies, table, dimension);
      const used = [...new Set(bodies.shapes)].sort((a, b) => a - b);
      expect(bitsFrom(report, REPORT_SHAPES, report.length)).toEqual(used);
    }
  });

  test('the lowest pair with an index out of range is named, and the kinds of all others are marked', async () => {
    const random = createRandom(SEED + 3);
    const table = makeTable();
    for (let run = 0; run < 20; run++) {
      const bodies = randomBodies(random, 3000, false);
      // In most runs only the first few bodies are in pairs, so that some kinds are missing.
      const variety = run % 3 === 0 ? 3000 : 1 + below(random, 5);
      const count = 1 + below(random, 20_000);
      const pairs = Uint32Array.from({ length: 2 * count }, () => below(random, variety));
      const spoiled = Array.from({ length: run % 2 ? below(random, 4) : 0 }, () => below(random, 2 * count));
      const sound = pairs.filter((_, i) => !spoiled.some((at) => at >> 1 === i >> 1));
      for (const at of spoiled) pairs[at] = [3000, 3001, 0xffff_ffff][below(random, 3)];
      const firstPair = 1000 * run;
      const report = await kernels.inspectPairs(bodies, pairs, table, dimension, firstPair);
      const lowest = spoiled.length > 0 ? firstPair + (Math.min(...spoiled) >> 1) : undefined;
      expect(indexIn(report, REPORT_PAIR), `seed ${SEED}, run ${run}`).toBe(lowest);
      if (spoiled.length > 0) expect(() => checkPairs(pairs, 3000)).toThrow(NarrowphaseError);
      else expect(() => checkPairs(pairs, 3000)).not.toThrow();
      const kinds = bitsFrom(report, REPORT_KINDS, REPORT_KINDS + KIND_COUNT / 2);
      const expected = pairFacts({ shapes: table, bodies, pairs: sound }).kinds.map(([a, b]) => KIND_COUNT * a + b);
      expect(kinds).toEqual(expected);
    }
  });

  test.each([0, 300, 4095])('the kinds of pair %d are marked if all others have other kinds', async (at) => {
    const table = makeTable();
    const bodies = randomBodies(createRandom(SEED), 2, false);
    bodies.shapes.set([0, 1]);
    const pairs = new Uint32Array(2 * 4096);
    pairs[2 * at + 1] = 1;
    const report = await kernels.inspectPairs(bodies, pairs, table, dimension);
    const [kindA, kindB] = [0, 1].map((id) => table.shapes[id]!.kind);
    const expected = [KIND_COUNT * kindA + kindA, KIND_COUNT * kindA + kindB];
    expect(bitsFrom(report, REPORT_KINDS, REPORT_KINDS + KIND_COUNT / 2)).toEqual(expected);
  });

  describe('velocities', () => {
    const { angularComponents } = dimension;

    function randomMotion(random: Random, count: number, duration: number, hasAngular: boolean): BodyMotion {
      const speed = Math.min(31 / duration, 1000) / Math.sqrt(angularComponents);
      const linear = new Float32Array(axes * count).map(() => (random() < 0.1 ? -0 : 20 * random() - 10));
      const angular = new Float32Array(angularComponents * count).map(() => speed * (2 * random() - 1));
      return { linear, duration, ...(hasAngular && { angular }) };
    }

    const isAccepted = ({ linear, angular, duration }: BodyMotion): boolean => {
      const velocities = { linearVelocities: linear, angularVelocities: angular };
      try {
        readMotion(velocities, duration, linear.length / axes, dimension).check();
        return true;
      } catch {
        return false;
      }
    };

    test.each([0, 1 / 60, 1, 1e9, Infinity])('have the records of the host, for a duration of %d', async (duration) => {
      const random = createRandom(SEED + 4);
      for (const hasAngular of [true, false]) {
        const motion = randomMotion(random, 10_000, duration, hasAngular);
        expect(isAccepted(motion)).toBe(true);
        const { velocities, report } = await kernels.packVelocities(motion, dimension);
        expect(report[REPORT_VELOCITY]).toBe(0);
        expect(velocities).toEqual(new Uint32Array(packVelocities(motion, dimension).buffer));
      }
    });

    test('that the host refuses are flagged', async () => {
      const random = createRandom(SEED + 5);
      const odd = [NaN, Infinity, -Infinity, 1e30, -1e30, 2e30, 3e38, 1e-45, -1e-38, 1e-30];
      let refused = 0;
      for (let run = 0; run < 400; run++) {
        const motion = randomMotion(random, 1, 1, true);
        const { linear, angular } = motion;
        const at = below(random, angularComponents);
        if (run % 4 === 0) linear[below(random, axes)] = odd[below(random, odd.length)];
        else if (run % 4 === 1) angular![at] = odd[below(random, odd.length)];
        else angular![at] = 0;
        const { report } = await kernels.packVelocities(motion, dimension);
        const mustRefuse = !isAccepted(motion);
        if (mustRefuse) refused++;
        const isFlagged = report[REPORT_VELOCITY] !== 0;
        // Coordinates near the limit may be flagged.
        const isNear = linear.some((x) => Math.abs(x) > 0.99e30);
        if (!isNear || mustRefuse)
          expect(isFlagged, `seed ${SEED}, run ${run}: ${linear}; ${angular}`).toBe(mustRefuse);
      }
      expect(refused).toBeGreaterThan(50);
    });

    test('the lowest of several is named', async () => {
      const random = createRandom(SEED + 6);
      for (let run = 0; run < 20; run++) {
        const count = 1 + below(random, 5000);
        const motion = randomMotion(random, count, 1, true);
        const spoiled = Array.from({ length: below(random, 4) }, () => below(random, count));
        for (const body of spoiled) {
          if (random() < 0.5) motion.linear[axes * body + below(random, axes)] = NaN;
          else motion.angular![angularComponents * body + below(random, angularComponents)] = Infinity;
        }
        const { report } = await kernels.packVelocities(motion, dimension);
        const lowest = spoiled.length > 0 ? Math.min(...spoiled) : undefined;
        expect(indexIn(report, REPORT_VELOCITY), `seed ${SEED}, run ${run}`).toBe(lowest);
      }
    });
  });
});
