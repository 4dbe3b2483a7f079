/** What error messages show of a value. */

import { describe, expect, test } from 'vitest';
import { invalidInput } from '../../src/api/errors.ts';

function shown(value: unknown): string {
  try {
    return invalidInput('it', value, 'none');
  } catch (error) {
    return /^it is (.*), expected none$/s.exec((error as Error).message)![1];
  }
}

test.each<[unknown, string]>([
  [[1, NaN, -0, -Infinity], '[1,NaN,0,-Infinity]'],
  [[], '[]'],
  [{}, '{}'],
  [['a', null, true, [2, { b: 'c' }]], '["a",null,true,[2,{"b":"c"}]]'],
  [[NaN, 'x'], '[NaN,"x"]'],
  [{ points: new Float32Array(5), make: () => 1 }, '{"points":Float32Array of 5 elements,"make":a function}'],
  [new Float32Array(3), 'Float32Array of 3 elements'],
  ['x'.repeat(100), `"${'x'.repeat(57)}..."`],
  [['x'.repeat(1e6)], `["${'x'.repeat(57)}..."]`],
  [5n, '5n'],
  [[5n], '[5n]'],
  [undefined, 'undefined'],
])('$1', (value, expected) => expect(shown(value)).toBe(expected));

describe('a value is shown in 80 characters', () => {
  test.each([
    ['a list', Array.from({ length: 1000 }, (_, i) => i)],
    ['lists of lists', Array.from({ length: 1000 }, () => ['abc', ['def']])],
    ['an object', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field ${i}`, i]))],
  ])('%s', (_, value) => expect(shown(value)).toBe(`${JSON.stringify(value).slice(0, 77)}...`));
});

test('of a long list no more is looked at than is shown', () => {
  const looked = new Set<string | symbol>();
  const list = new Proxy(
    Array.from({ length: 1e6 }, () => 1),
    {
      get(target, name, receiver) {
        looked.add(name);
        return Reflect.get(target, name, receiver) as unknown;
      },
    },
  );
  expect(shown(list)).toBe(`[${'1,'.repeat(38)}...`);
  expect(looked.size).toBeLessThan(100);
});

test('of an object with many fields no more is looked at than is shown', () => {
  let looks = 0;
  const fields = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`field ${i}`, 1]));
  const object = new Proxy(fields, {
    getOwnPropertyDescriptor(target, name) {
      looks++;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get(target, name, receiver) {
      looks++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  expect(shown(object)).toBe(`${JSON.stringify(fields).slice(0, 77)}...`);
  expect(looks).toBeLessThan(100);
});

test('what an object inherits is not shown', () => {
  expect(shown(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }))).toBe('{"own":2}');
});

test('what is nested deep or in itself, or throws, is an object', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 1e6; i++) deep = [deep];
  expect(shown(deep)).toBe('an object');
  const own: { self?: unknown } = {};
  own.self = own;
  expect(shown(own)).toBe('an object');
  expect(
    shown({
      get bad() {
        throw new Error('bad');
      },
    }),
  ).toBe('an object');
});
