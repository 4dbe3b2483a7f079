/** Traces: their last step is the query's result, and the steps before agree with it. */
import { beforeAll, afterAll, expect, test } from 'vitest';
import { traceCapture } from '../../src/capture/trace-capture.ts';
import { contact, createShape, distance, impact, intersects, manifold, trace } from '../../src/cpu.ts';
import type { TraceBody, TraceStep } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { capturePair, randomPair } from '../helpers/random-captures.ts';

let tester: Tester;
beforeAll(async () => void (tester = await createTester({ backend: 'cpu', threads: 1 })));
afterAll(() => tester.dispose());

const QUERIES = { intersects, distances: distance, contacts: contact, manifolds: manifold, impacts: impact };
const box = createShape({ type: 'box', halfExtents: [1, 0.5, 0.25] });
const cloud = createShape({ type: 'hull', points: [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1, 0, 2, 0] });
const TURN = [0.1, 0.3, -0.2, 0.9];

function at(x: number, y: number, z: number): Omit<TraceBody, 'shape'> {
  return { position: [x, y, z], quaternion: TURN };
}

function ofType<Type extends TraceStep['type']>(steps: TraceStep[], type: Type) {
  return steps.filter((step): step is Extract<TraceStep, { type: Type }> => step.type === type);
}

function key(face: readonly number[]): string {
  return face.join(' ');
}

test('the last step of 200 random traces is the query’s result, and the tester’s answer to the tolerance', async () => {
  const types = new Set<string>();
  let traced = 0;
  for (let i = 0; traced < 200; i++) {
    const pair = randomPair(2, i, 3);
    if (pair.shapes.slice(1, 3).some(({ type }) => type === 'compound' || type === 'mesh')) continue;
    traced++;
    const capture = await capturePair(tester, pair);
    const label = `seed 2, pair ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    const steps = traceCapture(capture);
    for (const { type } of steps) types.add(type);
    const last = steps.at(-1)!;
    if (last.type !== 'result') throw new Error(`${label}: the last step is ${last.type}`);
    const again = traceCapture(capture).at(-1);
    expect(again, label).toEqual(last);
    const answer = capture.result as Record<string, unknown>;
    expect(last.result.status, label).toBe(answer.status);
    if ('distance' in last.result && typeof answer.distance === 'number')
      expect(last.result.distance, label).toBeCloseTo(answer.distance, 4);
    if ('time' in last.result)
      expect(Math.min(last.result.time, 1e9), label).toBeCloseTo(Math.min(Number(answer.time), 1e9), 3);
  }
  for (const type of [
    'pair',
    'closed-form',
    'newton',
    'gjk',
    'gjk-end',
    'sat',
    'mpr',
    'mpr-end',
    'epa-start',
    'epa',
    'epa-end',
  ])
    expect(types, type).toContain(type);
  for (const type of [
    'arcs-start',
    'arcs-face',
    'arcs-end',
    'cast',
    'cast-end',
    'swept',
    'crossing',
    'advance',
    'manifold',
  ])
    expect(types, type).toContain(type);
});

test.each(Object.keys(QUERIES) as (keyof typeof QUERIES)[])('the result of %s is that of the function', (query) => {
  const moving = { linearVelocity: [-1, 0, 0] };
  const [poseA, poseB] = [at(0, 0, 0), at(0.8, 0.4, 0.1)];
  const options = query === 'impacts' ? { duration: 2 } : { margin: 1 };
  const [a, b] = [
    { ...poseA, linearVelocity: [0, 0, 0] },
    { ...poseB, ...moving },
  ];
  const steps = trace(query, { shape: box, ...a }, { shape: cloud, ...b }, options as never);
  const expected = (QUERIES[query] as (...given: unknown[]) => unknown)(box, a, cloud, b, options);
  expect(steps.at(-1)).toEqual({ type: 'result', query, result: expected });
  expect(steps[0].type).toBe('pair');
  // Nothing is recorded afterwards.
  const { length } = steps;
  (QUERIES[query] as (...given: unknown[]) => unknown)(box, a, cloud, b, options);
  expect(steps).toHaveLength(length);
});

test('the greatest separation of the axes of SAT is the distance of two boxes', () => {
  const steps = trace(
    'contacts',
    { shape: box, ...at(0, 0, 0) },
    { shape: box, position: [1.5, 0.3, 0], quaternion: [0, 0, 0, 1] },
  );
  const axes = ofType(steps, 'sat');
  expect(axes.map(({ axis }) => axis)).toEqual([...Array(15).keys()]);
  const [result] = ofType(steps, 'result');
  expect(Math.max(...axes.map(({ separation }) => separation))).toBeCloseTo(
    (result.result as { distance: number }).distance,
    12,
  );
  for (const { direction } of axes) expect(Math.hypot(...direction)).toBeCloseTo(1, 12);
});

test('the bounds of GJK close in on the distance, and its simplex holds the nearest point', () => {
  const steps = trace(
    'distances',
    { shape: cloud, ...at(0, 0, 0) },
    { shape: box, ...at(5, 1, 2) },
    { algorithm: 'gjk' },
  );
  const [{ result }] = ofType(steps, 'result');
  const { distance: gap } = result as { distance: number };
  for (const { lower, upper, height, direction, support } of ofType(steps, 'gjk')) {
    expect(lower).toBeLessThanOrEqual(gap + 1e-12);
    expect(upper).toBeGreaterThanOrEqual(gap - 1e-12);
    expect(direction.reduce((sum, x, k) => sum + x * support.point[k], 0)).toBeCloseTo(height, 12);
    for (let k = 0; k < 3; k++) expect(support.onB[k] - support.onA[k]).toBeCloseTo(support.point[k], 12);
  }
  const [end] = ofType(steps, 'gjk-end');
  expect(end.outcome).toBe('converged');
  const nearest = [0, 1, 2].map((k) => end.simplex.reduce((sum, { weight, point }) => sum + weight * point[k], 0));
  expect(Math.hypot(...nearest)).toBeCloseTo(gap, 12);
});

test('the faces that EPA removes and adds keep the polytope closed', () => {
  const ball = createShape({ type: 'cylinder', halfHeight: 1, radius: 0.5 });
  const steps = trace(
    'contacts',
    { shape: ball, ...at(0, 0, 0) },
    { shape: cloud, ...at(0.7, 0.2, 0.1) },
    { algorithm: 'gjk' },
  );
  const [start] = ofType(steps, 'epa-start');
  const faces = new Set(start.faces.map(key));
  const expanded = ofType(steps, 'epa').filter(({ apex }) => apex >= 0);
  expect(expanded.length).toBeGreaterThan(5);
  for (const { removed, horizon, apex, face } of expanded) {
    expect(faces).toContain(key(face));
    for (const each of removed) expect(faces.delete(key(each))).toBe(true);
    for (const [from, to] of horizon) if (from !== apex && to !== apex) faces.add(key([from, to, apex]));
    const edges = [...faces].flatMap((each) => {
      const [i, j, k] = each.split(' ');
      return [`${i} ${j}`, `${j} ${k}`, `${k} ${i}`];
    });
    for (const edge of edges) expect(edges).toContain(edge.split(' ').reverse().join(' '));
  }
  const [end] = ofType(steps, 'epa-end');
  const [{ result }] = ofType(steps, 'result');
  expect(end.lower).toBeCloseTo((result as { distance: number }).distance, 9);
});

test('wrong arguments are refused by name, and leave nothing recorded', () => {
  const body = { shape: box, ...at(0, 0, 0) };
  expect(() => trace('contact' as 'contacts', body, body)).toThrow(
    'query is "contact", expected the name of a query over pairs; did you mean \'contacts\'?',
  );
  expect(() => trace('contacts', null as never, body)).toThrow(/^a is null/);
  expect(() => trace('contacts', body, { ...body, shape: {} as never })).toThrow(/^b is /);
  expect(() => trace('impacts', body, body, undefined as never)).toThrow(/^options is undefined/);
});
