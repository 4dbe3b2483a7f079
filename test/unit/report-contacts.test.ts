import { expect, test } from 'vitest';
import { contactAt, contactLine, keepClosest } from '../../cli/report/contacts.ts';
import type { Hits } from '../../cli/report/contacts.ts';
import type { Scene } from '../../cli/scene/scene.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

const random = createRandom(3);
const COUNT = 200;
const numbers = <A extends Float32Array | Float64Array>(array: A): A => array.map(() => uniform(random, -10, 10)) as A;

const scene = {
  shapes: [{ type: 'box' }, { type: 'hull' }],
  bodies: { shapes: Uint32Array.from({ length: 50 }, (_, i) => i & 1) },
  bodyNames: new Map([
    [0, 'plain'],
    [7, '"quoted" \\ \u0000 \u2028 \ud800'],
    [8, '\u{1f9f1}'],
  ]),
} as unknown as Scene;

function hits(points: Float32ArrayConstructor | Float64ArrayConstructor): Hits {
  return {
    scene,
    pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => (7 * i) % 50),
    answer: {
      count: COUNT,
      pair: Uint32Array.from({ length: COUNT }, (_, i) => i),
      status: Uint8Array.from({ length: COUNT }, (_, i) => i % 5),
      statusCounts: [40, 40, 40, 40, 40],
      distance: numbers(new Float32Array(COUNT)).fill(-0, 3, 4),
      normal: numbers(new Float32Array(3 * COUNT)),
      pointA: numbers(new points(3 * COUNT)).fill(1e-9, 5, 9),
      pointB: numbers(new points(3 * COUNT))
        .fill(1e22, 5, 9)
        .fill(-0, 9, 10),
      featureA: new Uint32Array(COUNT).fill(2 ** 32 - 1),
      featureB: new Uint32Array(COUNT),
      iterations: new Uint16Array(COUNT).fill(12),
    },
  };
}

test.each([
  ['f32', Float32Array],
  ['f64', Float64Array],
] as const)('a line is the JSON of its contact, with points of %s', (_, points) => {
  const given = hits(points);
  for (let slot = 0; slot < COUNT; slot++)
    expect(contactLine(given, slot)).toBe(JSON.stringify(contactAt(given, slot)));
});

test('a line has the fields of its query', () => {
  const { answer, ...rest } = hits(Float64Array);
  const {
    distance: _,
    normal: __,
    pointA: ___,
    pointB: ____,
    featureA: _____,
    featureB: ______,
    iterations: _______,
    ...bare
  } = answer;
  expect(contactLine({ ...rest, answer: bare }, 0)).toBe(
    '{"pair":0,"a":0,"b":7,"nameA":"plain","nameB":"\\"quoted\\" \\\\ \\u0000 \u2028 ' +
      '\\ud800","shapeA":"box","shapeB":"hull","status":"separated"}',
  );
});

test('f64 points keep all their digits', () => {
  const given = hits(Float64Array);
  given.answer.pointA![0] = 0.1 + 0.2;
  expect((JSON.parse(contactLine(given, 0)) as { pointA: number[] }).pointA[0]).toBe(0.1 + 0.2);
});

test('the closest of many are those of a whole sort, the first of equal ones first', () => {
  const items = Array.from({ length: 5000 }, (_, i) => ({ i, distance: Math.floor(uniform(random, 0, 50)) }));
  const sorted = [...items].sort((a, b) => a.distance - b.distance || a.i - b.i);
  for (const limit of [0, 1, 10, 2000, 9999]) {
    const closest = keepClosest<(typeof items)[number]>(limit, ({ distance }) => distance);
    for (const item of items) closest.add(item);
    expect(closest.items()).toEqual(sorted.slice(0, limit));
  }
});
