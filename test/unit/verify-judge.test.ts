/**
 * The judge of `verify` over an engine that gives right answers, and one whose answers were tampered with: what is
 * right, what is wrong by little, and by which faults. That every kind of tampering fails `verify` stands in
 * tampering.test.ts.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { openCpu } from '../../verification/engines/cpu.ts';
import type { Answer, Engine } from '../../verification/engines/engine.ts';
import { compare } from '../../cli/verify/compare.ts';
import type { Comparison } from '../../cli/verify/compare.ts';
import { createVerdict } from '../../verification/judges/faults.ts';
import type { FaultKind, Verdict } from '../../verification/judges/faults.ts';
import { judge, termsOf } from '../../verification/judges/contact.ts';
import type { Terms } from '../../verification/judges/contact.ts';
import { createReference, setKnownDistance, poseOfPair } from '../../verification/judges/reference.ts';
import { addVerdict, createStatistics, hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { scenePairs } from '../../cli/scene/pairs.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { Status } from '../../src/api/types.ts';
import {
  move,
  push,
  replying,
  tampered as tamperedOf,
  tangent,
  vectorAt,
  withExtra,
  without as withoutSlot,
  type Change,
  type Relist,
} from '../helpers/tampering.ts';

const MARGIN = 1;

const scene = parseScene(
  JSON.stringify({
    version: 1,
    shapes: [
      { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
      { type: 'hull', points: [-0.5, -0.5, -0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1], radius: 0.05 },
      { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
      { type: 'sphere', radius: 0.5 },
    ],
    bodies: [
      { shape: 0, position: [10.1, 0.2, 0.3], quaternion: [0.1, 0.2, 0.3, 0.9] },
      { shape: 0, position: [10.7, 0.1, 0.2], quaternion: [0.3, -0.2, 0.1, 0.9] },
      { shape: 1, position: [12.3, 0.4, 0.1], quaternion: [0.5, 0.2, -0.3, 0.7], scale: 0.75 },
      { shape: 2, position: [12.9, 0.5, 0.4], quaternion: [0.2, 0.1, 0.4, 0.8] },
      { shape: 3, position: [17, 0.3, 0.6] },
    ],
    pairs: 'all',
  }),
);
const pairs = scenePairs(scene, 0);
/** Bodies 0 and 1, two boxes, overlap; so do 2 and 3. 1 and 2 are apart by less than the margin, 0 and 4 by more. */
const [DEEP, NEAR, FAR] = [
  [0, 1],
  [1, 2],
  [0, 4],
].map(([a, b]) => pairIndex(a, b));

function pairIndex(a: number, b: number): number {
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === a && pairs[i + 1] === b) return i / 2;
  throw new Error(`no pair of bodies ${a} and ${b}`);
}

const honest = await openCpu();
await honest.load(scene.shapes, scene.bodies);
afterAll(() => honest.close());

function tampered(pair: number, change: Change, relist?: Relist): Engine {
  return tamperedOf(honest, pair, change, relist);
}

function verify(engine: Engine, terms: Terms): Promise<Comparison> {
  return compare(engine, scene, pairs, terms, 3);
}

/** Kinds of fault found in a pair, the others being right. */
async function faultsOf(engine: Engine, terms: Terms, pair: number): Promise<FaultKind[]> {
  const { statistics } = await verify(engine, terms);
  expect(hasPassed(statistics)).toBe(false);
  expect(statistics.pairs).toBe(pairs.length / 2);
  expect(statistics.faulty).toBe(1);
  const [worst] = worstItems(statistics.worst);
  expect(worst.pair).toBe(pair);
  expect(Object.values(statistics.faults).reduce((sum, n) => sum + n, 0)).toBe(worst.faults.length);
  return worst.faults;
}

/** Terms of kernels, so that a change of some tolerances is far above the rounding of f32. */
const contacts = termsOf('webgpu', 'contacts', MARGIN);
const distances = termsOf('webgpu', 'distances', MARGIN);
const intersects = termsOf('webgpu', 'intersects', MARGIN);
const exact = termsOf('cpu', 'contacts', MARGIN);

async function toleranceOf(pair: number): Promise<number> {
  const { statistics } = await compare(honest, scene, pairs, contacts, 100);
  return contacts.tolerance * worstItems(statistics.worst).find((item) => item.pair === pair)!.size;
}

const flip: Change = ({ normal }, slot) => [0, 1, 2].forEach((k) => (normal![3 * slot + k] *= -1));
const stretch: Change = ({ normal }, slot) => [0, 1, 2].forEach((k) => (normal![3 * slot + k] *= 1.0001));
const turn: Change = (answer, slot) =>
  move(
    answer.normal!,
    slot,
    tangent(answer, slot).map((x) => 1e-3 * x),
  );
const clearPoints: Change = ({ pointA, pointB }, slot) =>
  [pointA!, pointB!].forEach((point) => point.fill(0, 3 * slot, 3 * slot + 3));
/** Both points along the contact plane. */
const slide: Change = (answer, slot) => {
  for (const point of [answer.pointA!, answer.pointB!])
    move(
      point,
      slot,
      tangent(answer, slot).map((x) => 2 * x),
    );
};
const giveUp: Change = ({ status }, slot) => (status[slot] = Status.NotConverged);
const giveUpWithWrongBounds: Change = (answer, slot) => {
  giveUp(answer, slot);
  answer.upper![slot] = answer.lower![slot];
};
const runOut: Change = ({ status }, slot) => (status[slot] = Status.CapacityExceeded);

/** The step between f32 numbers of x's size. */
function ulp(x: number): number {
  return 2 ** (Math.floor(Math.log2(Math.abs(x))) - 23);
}

describe('right answers pass', () => {
  test.each(['contacts', 'distances', 'intersects'] as const)(
    '%s, with every margin, by both tolerances',
    async (query) => {
      const reached = { listed: 0, early: 0 };
      for (const margin of [0, 0.2, MARGIN, Infinity]) {
        for (const backend of ['webgpu', 'cpu'] as const) {
          const { statistics } = await compare(honest, scene, pairs, termsOf(backend, query, margin), 100);
          expect(statistics.faults).toEqual(
            Object.fromEntries(Object.keys(statistics.faults).map((kind) => [kind, 0])),
          );
          expect(hasPassed(statistics)).toBe(true);
          expect(statistics.unanswered).toEqual({ engine: 0, reference: 0, both: 0 });
          reached.listed += worstItems(statistics.worst).filter(({ engine }) => engine!.isListed).length;
          reached.early += statistics.leftEarly;
        }
      }
      if (query !== 'intersects') expect(Math.min(reached.listed, reached.early)).toBeGreaterThan(0);
    },
  );

  test('all quantities are measured where a pair has them', async () => {
    const { statistics } = await verify(honest, contacts);
    const measured = Object.values(statistics.errors).map(({ histogram }) =>
      histogram.bins.reduce((sum, n) => sum + n, histogram.zeros),
    );
    expect(measured).toEqual([10, 10, 10 - statistics.leftEarly]);
    expect(statistics.leftEarly).toBeGreaterThan(0);
  });

  test('of several pieces as of one', async () => {
    const many = Uint32Array.from({ length: 40_000 }, (_, i) => pairs[i % pairs.length]);
    const done: number[] = [];
    const { statistics } = await compare(honest, scene, many, contacts, 5, (n) => done.push(n));
    expect(statistics.pairs).toBe(20_000);
    expect(hasPassed(statistics)).toBe(true);
    expect(done.at(-1)).toBe(20_000);
    expect(done.length).toBeGreaterThan(2);
  });
});

describe('a wrong distance', () => {
  test.each([
    ['deep', DEEP],
    ['near', NEAR],
  ])('of a %s pair is found when it is off by 2 t, and is right when off by t / 2', async (_, pair) => {
    const t = await toleranceOf(pair);
    for (const sign of [-1, 1]) {
      expect(
        await faultsOf(
          tampered(pair, ({ distance }, slot) => (distance![slot] += sign * 2 * t)),
          contacts,
          pair,
        ),
      ).toContain('distance');
      const { statistics } = await verify(
        tampered(pair, ({ distance }, slot) => (distance![slot] += (sign * t) / 2)),
        contacts,
      );
      expect(hasPassed(statistics)).toBe(true);
    }
  });

  test('of the reference itself is found when it is off by more than the rounding to f32', async () => {
    const off = (by: number) => tampered(NEAR, ({ distance }, slot) => (distance![slot] += by * ulp(distance![slot])));
    expect(await faultsOf(off(2), exact, NEAR)).toContain('distance');
    expect(hasPassed((await verify(off(2), contacts)).statistics)).toBe(true);
  });

  test('beyond the margin is found when it is no lower bound, and right when it is a loose one', async () => {
    const t = await toleranceOf(FAR);
    const bound = (by: number) => tampered(FAR, ({ distance }, slot) => (distance![slot] += by));
    const truth = worstItems((await compare(honest, scene, pairs, contacts, 100)).statistics.worst).find(
      ({ pair }) => pair === FAR,
    )!;
    const slack = truth.reference.distance! - truth.engine!.distance!;
    expect(await faultsOf(bound(slack + 2 * t), contacts, FAR)).toContain('lowerBound');
    expect(hasPassed((await verify(bound(-1), contacts)).statistics)).toBe(true);
  });
});

describe('a wrong status', () => {
  test.each<[string, number, Terms, number]>([
    ['an overlap called separated', DEEP, contacts, Status.Separated],
    ['a gap called overlap', NEAR, contacts, Status.Overlapping],
    ['an overlap called separated by `intersects`', DEEP, intersects, Status.Separated],
    ['a valid pair called invalid', NEAR, intersects, Status.InvalidInput],
    ['a status that there is not', NEAR, intersects, 7],
  ])('%s', async (_, pair, terms, status) => {
    expect(
      await faultsOf(
        tampered(pair, (answer, slot) => (answer.status[slot] = status)),
        terms,
        pair,
      ),
    ).toContain('status');
  });
});

function without(slot: number): Relist {
  return (hits) => withoutSlot(hits, slot);
}

/** A list that has `pair` in place of the near one. */
function renamed(pair: number): Engine {
  return tampered(
    NEAR,
    () => {},
    (hits) => ({ ...hits, pair: hits.pair.map((p) => (p === NEAR ? pair : p)) }),
  );
}

describe('a wrong list of hits', () => {
  test.each<CommandQuery>(['contacts', 'distances', 'intersects'])('%s without a hit', async (query) => {
    const { answer } = await honest.ask({ query, pairs, margin: MARGIN, results: 'hits' });
    const slot = answer.pair.indexOf(NEAR);
    expect(
      await faultsOf(
        tampered(NEAR, () => {}, without(slot)),
        termsOf('webgpu', query, MARGIN),
        NEAR,
      ),
    ).toContain('missingHit');
  });

  test('with a pair too many', async () => {
    const { answer } = await honest.ask({ query: 'contacts', pairs, margin: MARGIN, results: 'hits' });
    const before = answer.pair.filter((pair) => pair < FAR).length - 1;
    expect(
      await faultsOf(
        tampered(
          FAR,
          () => {},
          (hits) => withExtra(hits, before, FAR),
        ),
        contacts,
        FAR,
      ),
    ).toContain('extraHit');
  });

  test('with other numbers than the answer of all pairs', async () => {
    const engine = tampered(
      NEAR,
      () => {},
      (hits) => {
        hits.normal![3 * hits.pair.indexOf(NEAR) + 1] += 2 ** -24;
        return hits;
      },
    );
    expect(await faultsOf(engine, contacts, NEAR)).toEqual(['listing']);
  });

  test('`hit` that says other than the list', async () => {
    expect(
      await faultsOf(
        tampered(NEAR, ({ hit }, slot) => (hit![slot] = 0)),
        intersects,
        NEAR,
      ),
    ).toEqual(['listing']);
  });

  test('with pairs that were not asked about, or out of order, ends the comparison', async () => {
    await expect(verify(renamed(1000), contacts)).rejects.toThrow(
      /lists pair 1000 after \d as a hit, of 10 pairs asked/,
    );
    await expect(verify(renamed(0), contacts)).rejects.toThrow('lists pair 0 after 0 as a hit');
  });
});

describe('a wrong normal', () => {
  test.each([
    ['deep', DEEP],
    ['near', NEAR],
    ['far', FAR],
  ])('of a %s pair: flipped', async (_, pair) => {
    expect(await faultsOf(tampered(pair, flip), contacts, pair)).toContain('supports');
  });

  test.each([
    ['deep', DEEP],
    ['near', NEAR],
  ])('of a %s pair: turned by a thousandth', async (_, pair) => {
    expect(await faultsOf(tampered(pair, turn), contacts, pair)).toContain('supports');
  });

  test('too long', async () => {
    expect(await faultsOf(tampered(NEAR, stretch), contacts, NEAR)).toEqual(['unit']);
  });
});

describe('wrong witness points', () => {
  test.each([
    ['deep', DEEP],
    ['near', NEAR],
  ])('of a %s pair: one moved along the normal', async (_, pair) => {
    const t = await toleranceOf(pair);
    const pull: Change = ({ pointB, normal }, slot) =>
      move(
        pointB!,
        slot,
        vectorAt(normal!, slot).map((x) => 3 * t * x),
      );
    expect(await faultsOf(tampered(pair, pull), contacts, pair)).toEqual(expect.arrayContaining(['points', 'surface']));
  });

  test.each([
    ['deep', DEEP],
    ['near', NEAR],
  ])('of a %s pair: both moved along the normal, off the surfaces', async (_, pair) => {
    const t = await toleranceOf(pair);
    for (const sign of [-1, 1]) {
      const lift: Change = (answer, slot) => push(answer, slot, 3 * sign * t);
      expect(await faultsOf(tampered(pair, lift), contacts, pair)).toEqual(['surface']);
    }
  });

  test.each([
    ['deep', DEEP],
    ['near', NEAR],
  ])('of a %s pair: both moved along the contact plane, out of the shapes', async (_, pair) => {
    expect(await faultsOf(tampered(pair, slide), contacts, pair)).toEqual(['surface']);
  });
});

describe('wrong bounds, zeros and other numbers', () => {
  test.each(['lower', 'upper'] as const)('%s on the other side of the reference', async (bound) => {
    for (const pair of [DEEP, NEAR]) {
      const cross: Change = (answer, slot) => (answer[bound]![slot] += bound === 'lower' ? 1e-5 : -1e-5);
      expect(await faultsOf(tampered(pair, cross), contacts, pair)).toEqual(['bounds']);
    }
  });

  test.each(['distance', 'normal', 'pointA', 'pointB'] as const)('%s that is not finite', async (field) => {
    for (const value of [NaN, Infinity]) {
      const spoil: Change = (answer, slot) => (answer[field]![(field === 'distance' ? 1 : 3) * slot] = value);
      expect(await faultsOf(tampered(NEAR, spoil), contacts, NEAR)).toContain('notFinite');
    }
  });

  test('bounds that are NaN', async () => {
    expect(
      await faultsOf(
        tampered(NEAR, ({ lower }, slot) => (lower![slot] = NaN)),
        contacts,
        NEAR,
      ),
    ).toEqual(['bounds']);
  });

  test('bounds that were asked for and are not there', async () => {
    const { statistics } = await verify(
      tampered(NEAR, (answer) => delete (answer as { lower?: unknown }).lower),
      contacts,
    );
    expect(statistics.faults.bounds).toBe(10);
  });

  test('an overlap of `distances` with a normal', async () => {
    expect(
      await faultsOf(
        tampered(DEEP, ({ normal }, slot) => (normal![3 * slot] = 1)),
        distances,
        DEEP,
      ),
    ).toEqual(['zeros']);
  });

  test('points that are zero within the margin', async () => {
    expect(await faultsOf(tampered(NEAR, clearPoints), contacts, NEAR)).toEqual(
      expect.arrayContaining(['points', 'surface']),
    );
  });

  test('an answer that is not there', async () => {
    const engine: Engine = {
      ...honest,
      async ask(question) {
        const { answer, timings } = await honest.ask(question);
        return { answer: question.results === 'all' ? { ...answer, count: answer.count - 1 } : answer, timings };
      },
    };
    expect(await faultsOf(engine, intersects, pairs.length / 2 - 1)).toEqual(['missing']);
  });
});

describe('a pair without an answer', () => {
  test.each<CommandQuery>(['contacts', 'distances', 'intersects'])(
    'of %s is counted, no fault, and fails',
    async (query) => {
      const { statistics } = await verify(tampered(NEAR, giveUp), termsOf('webgpu', query, MARGIN));
      expect(statistics.faulty).toBe(0);
      expect(statistics.unanswered).toEqual({ engine: 1, reference: 0, both: 0 });
      expect(hasPassed(statistics)).toBe(false);
      expect(worstItems(statistics.worst)[0]).toMatchObject({
        pair: NEAR,
        faults: [],
        engine: { status: 'notConverged' },
      });
    },
  );

  test('still has bounds that hold the reference', async () => {
    expect(await faultsOf(tampered(NEAR, giveUpWithWrongBounds), contacts, NEAR)).toEqual(['bounds']);
  });

  test('still is a hit where the reference says so', async () => {
    const { answer } = await honest.ask({ query: 'contacts', pairs, margin: MARGIN, results: 'hits' });
    expect(await faultsOf(tampered(NEAR, giveUp, without(answer.pair.indexOf(NEAR))), contacts, NEAR)).toEqual([
      'missingHit',
      'listing',
    ]);
  });

  test('that ran out of capacity has zeros everywhere', async () => {
    expect(await faultsOf(tampered(NEAR, runOut), contacts, NEAR)).toEqual(['zeros']);
    const { statistics } = await verify(tampered(NEAR, runOut), intersects);
    expect(statistics.unanswered.engine).toBe(1);
  });
});

describe('where the reference has no answer itself', () => {
  const reference = createReference();
  const verdictOn = async (distance: number): Promise<Verdict> => {
    const { answer } = await honest.ask({ query: 'contacts', pairs, margin: MARGIN, results: 'all' });
    poseOfPair(scene, pairs[2 * DEEP], pairs[2 * DEEP + 1], reference);
    setKnownDistance({ status: Status.NotConverged, distance: -0.5, lower: -0.5, upper: -0.1 }, reference.known);
    answer.distance![DEEP] = distance;
    return judge(answer, DEEP, true, reference, contacts, createVerdict());
  };

  test('a distance between its bounds contradicts nothing', async () => {
    expect((await verdictOn(-0.3)).faults).not.toContain('distance');
    expect((await verdictOn(-0.05)).faults).toContain('distance');
    expect((await verdictOn(-0.6)).faults).toContain('distance');
  });

  test('the pair is counted, and fails nothing', async () => {
    const statistics = createStatistics<null>(contacts.tolerance, 0);
    const verdict = createVerdict();
    addVerdict(statistics, 0, verdict, false, () => null);
    addVerdict(statistics, 1, { ...verdict, isUnanswered: true }, false, () => null);
    expect(statistics.unanswered).toEqual({ engine: 0, reference: 1, both: 1 });
    expect(hasPassed(statistics)).toBe(true);
  });
});

test.each([
  ['cylinder', 'sphere', 1.5e-5, []],
  ['sphere', 'cone', 2.5e-5, ['status']],
  ['ellipsoid', 'box', -5e-5, []],
  ['box', 'ellipsoid', -1.5e-4, ['status']],
  ['box', 'sphere', 1.5e-5, ['status']],
  ['halfspace', 'sphere', 1.5e-5, ['status']],
  ['halfspace', 'cylinder', 1.5e-5, []],
] as const)(
  'a %s and a %s at the distance %f: the tolerance is that of the shapes',
  (typeA, typeB, distance, faults) => {
    const shapes: Record<string, ShapeDescription> = {
      sphere: { type: 'sphere', radius: 1 },
      box: { type: 'box', halfExtents: [1, 1, 1] },
      cylinder: { type: 'cylinder', halfHeight: 1, radius: 1 },
      cone: { type: 'cone', halfHeight: 1, radius: 1 },
      ellipsoid: { type: 'ellipsoid', radii: [1, 2, 3] },
      halfspace: { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
    };
    const known = { hasAnswer: true, low: distance, high: distance, lower: distance, upper: distance };
    const reference = {
      ...createReference(),
      shapeA: makeShapeData(shapes[typeA]),
      shapeB: makeShapeData(shapes[typeB]),
      size: 1,
      known,
    };
    // The other status than the right one.
    const answer = { status: Uint8Array.of(distance > 0 ? Status.Overlapping : Status.Separated) } as unknown as Answer;
    expect(
      judge(answer, 0, distance > 0, reference, { ...intersects, margin: 0 }, createVerdict()).faults.filter(
        (kind) => kind === 'status',
      ),
    ).toEqual(faults);
  },
);

/** The engine, but for the status counts of one of its answers. */
function counting(results: 'all' | 'hits'): Engine {
  return replying(honest, (answer, question) =>
    question.results === results ? { ...answer, statusCounts: [10, 0, 0, 0, 0] } : answer,
  );
}

describe('status counts', () => {
  test.each([
    ['all', 'all pairs'],
    ['hits', 'the hits'],
  ] as const)('of %s that are not those of the pairs fail, and are told', async (results, name) => {
    const { statistics } = await verify(counting(results), contacts);
    expect(statistics.faulty).toBe(0);
    expect(statistics.miscounts).toEqual({
      calls: 1,
      first: `the answer of ${name} counts statuses 10 0 0 0 0, the slots of all pairs have 8 2 0 0 0`,
    });
    expect(hasPassed(statistics)).toBe(false);
  });
});
