/** Traces in 2-D: their last step is the query's result, and the steps before agree with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Capture, PlanarCapture, PlanarTester } from '../../src/api/types.ts';
import { fromCaptureNumber } from '../../src/capture/numbers.ts';
import { traceCapture } from '../../src/capture/trace-capture.ts';
import { planar, trace as spaceTrace, createShape } from '../../src/cpu.ts';
import type { PlanarTraceBody, PlanarTraceStep } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import { PLANAR_REQUESTS, capturePair, planarPairWith } from '../helpers/random-captures.ts';

let tester: PlanarTester;
beforeAll(async () => void (tester = await createTester({ backend: 'cpu', threads: 1, dimension: 2 })));
afterAll(() => tester.dispose());

const QUERIES = {
  intersects: planar.intersects,
  distances: planar.distance,
  contacts: planar.contact,
  manifolds: planar.manifold,
  impacts: planar.impact,
};
/** Pairs per query and algorithm. */
const PAIRS = 40;

const block = planar.createShape({ type: 'rectangle', halfExtents: [1, 0.5] });
const stone = planar.createShape({ type: 'polygon', points: [-0.9, -0.7, 0.8, -1, 1.1, 0.6, 0, 1.3, -1, 0.7] });
const wheel = planar.createShape({
  type: 'polygon',
  points: Array.from({ length: 64 }, (_, i) => [Math.cos((i * Math.PI) / 32), Math.sin((i * Math.PI) / 32)]).flat(),
});

function at(shape: PlanarTraceBody['shape'], x: number, y: number, angle = 0.3): PlanarTraceBody {
  return { shape, position: [x, y], angle };
}

function ofType<Type extends PlanarTraceStep['type']>(steps: PlanarTraceStep[], type: Type) {
  return steps.filter((step): step is Extract<PlanarTraceStep, { type: Type }> => step.type === type);
}

function resultOf(steps: PlanarTraceStep[]) {
  const last = steps.at(-1)!;
  if (last.type !== 'result') throw new Error(`the last step is ${last.type}`);
  return last.result;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1];
}

/** What the function of the query returns for a capture, without a trace. */
function answerOf({ query, algorithm, shapes, poses, options }: PlanarCapture): unknown {
  const [a, b] = shapes.map((shape) => planar.createShape(shape));
  const { margin, duration, mprDepth } = options;
  const given = {
    algorithm,
    ...(margin !== undefined && { margin: fromCaptureNumber(margin) }),
    ...(duration !== undefined && { duration: fromCaptureNumber(duration) }),
    ...(mprDepth && { mprDepth }),
  };
  return (QUERIES[query] as (...values: unknown[]) => unknown)(a, poses[0], b, poses[1], given);
}

test('the last step of random traces of every query and algorithm is the query’s result', async () => {
  const types = new Set<string>();
  const kinds = new Set<string>();
  let traced = 0;
  for (const [r, request] of PLANAR_REQUESTS.entries()) {
    for (let i = 0; i < PAIRS; i++) {
      const pair = planarPairWith(3, PAIRS * r + i, request);
      if (!pair) continue;
      const capture = (await capturePair(tester, pair)) as PlanarCapture;
      const shapes = capture.shapes.map(({ type }) => type).join(' and ');
      const label = `seed 3, pair ${PAIRS * r + i}: ${request.query} by ${request.algorithm} of ${shapes}`;
      const steps = traceCapture(capture);
      traced++;
      kinds.add(shapes);
      for (const { type } of steps) types.add(type);
      const result = resultOf(steps);
      expect(result, label).toEqual(answerOf(capture));
      const answer = capture.result as Record<string, unknown>;
      expect(result.status, label).toBe(answer.status);
      if ('distance' in result && typeof answer.distance === 'number')
        expect(result.distance, label).toBeCloseTo(answer.distance, 4);
      if ('time' in result)
        expect(Math.min(result.time, 1e9), label).toBeCloseTo(Math.min(Number(answer.time), 1e9), 3);
    }
  }
  expect(traced).toBeGreaterThan(600);
  // Five types, in both orders.
  expect(kinds.size).toBe(25);
  expect([...types].sort()).toEqual(
    [
      'pair',
      'closed-form',
      'sat',
      'gjk',
      'gjk-end',
      'mpr',
      'mpr-end',
      'epa-start',
      'epa',
      'epa-end',
      'cast',
      'cast-end',
      'crossing',
      'crossing-end',
      'advance',
      'manifold',
      'result',
    ].sort(),
  );
});

test('the first step says where B is, and nothing is recorded afterwards', () => {
  const a = at(block, 1, 2, 0.5);
  const b = at(stone, 2.5, 2.2, 0.9);
  const steps = planar.trace('contacts', a, b);
  const [pair] = ofType(steps, 'pair');
  expect(steps[0]).toBe(pair);
  expect(pair.rotation[0]).toBeCloseTo(Math.cos(0.4), 12);
  expect(pair.rotation[1]).toBeCloseTo(Math.sin(0.4), 12);
  expect(pair.translation[0]).toBeCloseTo(1.5 * Math.cos(0.5) + 0.2 * Math.sin(0.5), 12);
  expect(pair.translation[1]).toBeCloseTo(0.2 * Math.cos(0.5) - 1.5 * Math.sin(0.5), 12);
  const { length } = steps;
  planar.contact(block, { position: [0, 0], angle: 0 }, stone, { position: [1, 0], angle: 0 });
  const box = createShape({ type: 'box', halfExtents: [1, 1, 1] });
  const body = { shape: box, position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
  spaceTrace('contacts', body, { ...body, position: [1.5, 0, 0] });
  expect(steps).toHaveLength(length);
});

test('the bounds of GJK close in on the distance, and its simplex holds the nearest point', () => {
  const steps = planar.trace('distances', at(stone, 0, 0), at(wheel, 4, 1), { algorithm: 'gjk' });
  const { distance } = resultOf(steps) as { distance: number };
  const supports = ofType(steps, 'gjk');
  expect(supports.length).toBeGreaterThan(2);
  for (const { lower, upper, height, direction, support } of supports) {
    expect(lower).toBeLessThanOrEqual(distance + 1e-12);
    expect(upper).toBeGreaterThanOrEqual(distance - 1e-12);
    expect(dot(direction, support.point)).toBeCloseTo(height, 12);
    for (let k = 0; k < 2; k++) expect(support.onB[k] - support.onA[k]).toBeCloseTo(support.point[k], 12);
  }
  const [end] = ofType(steps, 'gjk-end');
  expect(end.outcome).toBe('converged');
  const nearest = [0, 1].map((k) => end.simplex.reduce((sum, { weight, point }) => sum + weight * point[k], 0));
  expect(Math.hypot(...nearest)).toBeCloseTo(distance, 12);
});

test('a simplex that encloses the origin has the origin’s weights', () => {
  const steps = planar.trace('contacts', at(stone, 0, 0), at(wheel, 0.7, 0.2), { algorithm: 'gjk' });
  const [{ outcome, simplex }] = ofType(steps, 'gjk-end');
  expect(outcome).toBe('enclosed');
  expect(simplex).toHaveLength(3);
  for (let k = 0; k < 2; k++)
    expect(simplex.reduce((sum, { weight, point }) => sum + weight * point[k], 0)).toBeCloseTo(0, 12);
  for (const { weight } of simplex) expect(weight).toBeGreaterThanOrEqual(0);
});

test('EPA splits the edge nearest to the origin, and ends at the depth', () => {
  const steps = planar.trace('contacts', at(stone, 0, 0), at(wheel, 0.7, 0.2), { algorithm: 'gjk' });
  const [start] = ofType(steps, 'epa-start');
  const vertices = start.vertices.map(({ point }) => point);
  const edges = new Map(start.edges);
  const expansions = ofType(steps, 'epa');
  expect(expansions.length).toBeGreaterThan(3);
  for (const { edge, normal, edgeHeight, support, height, apex } of expansions) {
    expect(edges.get(edge[0])).toBe(edge[1]);
    for (const [from, to] of edges) {
      const [p, q] = [vertices[from], vertices[to]];
      const outward = [q[1] - p[1], p[0] - q[0]];
      const level = dot(outward, p) / Math.hypot(...outward);
      expect(level).toBeGreaterThanOrEqual(-edgeHeight - 1e-12);
      if (from === edge[0]) expect(level).toBeCloseTo(-edgeHeight, 12);
    }
    expect(dot(normal, support.point)).toBeCloseTo(height, 12);
    expect(height).toBeLessThanOrEqual(edgeHeight + 1e-12);
    if (apex < 0) continue;
    expect(apex).toBe(vertices.length);
    vertices.push(support.point);
    edges.set(edge[0], apex).set(apex, edge[1]);
  }
  const [end] = ofType(steps, 'epa-end');
  expect(end.outcome).toBe('converged');
  expect(end.lower).toBeCloseTo((resultOf(steps) as { distance: number }).distance, 9);
});

test('the greatest separation of the axes of SAT is the depth of two polygons', () => {
  const steps = planar.trace('contacts', at(block, 0, 0), at(stone, 1.2, 0.3, 1));
  const axes = ofType(steps, 'sat');
  expect(axes.map(({ body, edge }) => `${body}${edge}`)).toEqual([
    'a0',
    'a1',
    'a2',
    'a3',
    'b0',
    'b1',
    'b2',
    'b3',
    'b4',
  ]);
  const { distance } = resultOf(steps) as { distance: number };
  expect(distance).toBeLessThan(-0.1);
  expect(Math.max(...axes.map(({ separation }) => separation))).toBeCloseTo(distance, 12);
  for (const { direction, separation, lowB, highA, lowA, highB } of axes) {
    expect(Math.hypot(...direction)).toBeCloseTo(1, 12);
    expect(separation).toBeCloseTo(lowB - highA, 12);
    expect(Math.min(highA - lowA, highB - lowB)).toBeGreaterThan(0);
  }
});

test('the portal of MPR ends around the ray through the origin', () => {
  const steps = planar.trace('contacts', at(stone, 0, 0), at(wheel, 0.7, 0.2), { algorithm: 'mpr', mprDepth: 'ray' });
  const supports = ofType(steps, 'mpr');
  expect(supports.map(({ phase }) => phase).slice(0, 3)).toEqual(['first', 'second', 'refine']);
  for (const { portal, inside, ray, phase, direction, support } of supports) {
    expect(portal).toHaveLength({ first: 0, second: 1, refine: 2 }[phase as 'first']);
    if (phase !== 'refine') continue;
    const sides = portal.map(({ point }) => ray[0] * (point[1] - inside[1]) - ray[1] * (point[0] - inside[0]));
    expect(sides[0]).toBeLessThanOrEqual(1e-12);
    expect(sides[1]).toBeGreaterThanOrEqual(-1e-12);
    for (const { point } of portal)
      expect(dot(direction, support.point)).toBeGreaterThanOrEqual(dot(direction, point) - 1e-12);
  }
  const [end] = ofType(steps, 'mpr-end');
  expect(end.outcome).toBe('overlapping');
  expect(end.lower).toBeCloseTo((resultOf(steps) as { distance: number }).distance, 12);
});

test.each(['cast', 'velocity-epa'] as const)('bodies that translate meet where the search by %s ends', (algorithm) => {
  const speed = 2;
  const still = { ...at(stone, 0, 0), linearVelocity: [0, 0] };
  const moving = { ...at(block, 4, 0.4), linearVelocity: [-speed, 0] };
  const steps = planar.trace('impacts', still, moving, { duration: 5, algorithm });
  const { time, hit } = resultOf(steps) as { time: number; hit: boolean };
  expect(hit).toBe(true);
  const [{ translation }] = ofType(steps, 'pair');
  // Travelled distances are counted from where step `pair` has B.
  const begin = 4 - worldOf(translation, 0.3)[0];
  const [end] = algorithm === 'cast' ? ofType(steps, 'cast-end') : ofType(steps, 'crossing-end');
  expect(end.outcome).toBe('met');
  expect((begin + end.travelled) / speed).toBeCloseTo(time, 9);
  for (const { left, right, normal, support, height } of ofType(steps, 'crossing')) {
    expect(dot(normal, left.point)).toBeCloseTo(dot(normal, right.point), 12);
    expect(dot(normal, left.point) - dot(normal, support.point)).toBeCloseTo(height, 12);
  }
});

function worldOf([x, y]: readonly number[], angle: number): [number, number] {
  return [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];
}

test('advancement ends at the time of impact, and its times are those of the motion', () => {
  const still = { ...at(stone, 0, 0), linearVelocity: [0, 0], angularVelocity: 0.5 };
  const moving = { ...at(block, 6, 0.4), linearVelocity: [-2, 0], angularVelocity: 1 };
  const steps = planar.trace('impacts', still, moving, { duration: 5 });
  const { time } = resultOf(steps) as { time: number };
  const advances = ofType(steps, 'advance');
  expect(advances.length).toBeGreaterThan(2);
  expect(advances.at(-1)!.time).toBeCloseTo(time, 9);
  expect(advances[0].time).toBeGreaterThan(0.5);
  for (const { time: seconds, separation } of advances) {
    const poseA = { position: [0, 0], angle: 0.3 + 0.5 * seconds };
    const poseB = { position: [6 - 2 * seconds, 0.4], angle: 0.3 + seconds };
    const { distance } = planar.contact(stone, poseA, block, poseB, { margin: Infinity });
    expect(separation).toBeCloseTo(distance, 8);
  }
});

test('the corners that clipping keeps are the points of the manifold', () => {
  const steps = planar.trace('manifolds', at(block, 0, 0, 0), at(block, 0.4, 0.9, 0));
  const [{ edgeA, edgeB, corners }] = ofType(steps, 'manifold');
  const { points } = resultOf(steps) as { points: { position: number[]; distance: number }[] };
  const kept = corners.filter(({ isChosen }) => isChosen);
  expect(kept.map(({ distance }) => distance)).toEqual(points.map(({ distance }) => distance));
  expect(kept).toHaveLength(2);
  for (const edge of [edgeA, edgeB]) expect(Math.abs(edge[1][0] - edge[0][0])).toBeCloseTo(2, 12);
  expect(Math.abs(kept[0].position[0] - kept[1].position[0])).toBeCloseTo(1.6, 12);
});

test('wrong arguments are refused by name, and leave nothing recorded', () => {
  const body = at(block, 0, 0);
  expect(() => planar.trace('contact' as 'contacts', body, body)).toThrow(/^query is "contact"/);
  expect(() => planar.trace('contacts', null as never, body)).toThrow(/^a is null/);
  expect(() => planar.trace('contacts', body, { ...body, shape: {} as never })).toThrow(/^b is /);
  expect(() => planar.trace('impacts', body, body, undefined as never)).toThrow(/^options is undefined/);
});

test('a capture of either dimension has a trace', () => {
  const capture: Capture = {
    version: 1,
    dimension: 2,
    query: 'intersects',
    algorithm: 'auto',
    shapes: [
      { type: 'circle', radius: 1 },
      { type: 'circle', radius: 1 },
    ],
    poses: [
      { position: [0, 0], angle: 0 },
      { position: [1, 0], angle: 0 },
    ],
    float64Positions: false,
    options: {},
    result: { pair: 0, hit: true, status: 1 } as never,
    backend: 'cpu',
    adapter: { vendor: '', architecture: '', description: '', isSoftware: true },
  };
  expect(traceCapture(capture).map(({ type }) => type)).toEqual(['pair', 'closed-form', 'result']);
});
