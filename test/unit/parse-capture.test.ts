/** Captures that are read: every wrong field is named. */
import { expect, test } from 'vitest';
import { parseCapture } from '../../src/capture/parse.ts';

/** A capture of two crates that meet. */
function crates(): Record<string, any> {
  const crate = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
  return {
    version: 1,
    dimension: 3,
    query: 'impacts',
    algorithm: 'auto',
    shapes: [crate, { ...crate, halfExtents: [0.5, 0.5, 0.5] }],
    poses: [
      { position: [0, 0, 0], quaternion: [0, 0, 0, 1], linearVelocity: [0, 0, 0] },
      { position: [3, 0, 0], quaternion: [0, 0, 0, 1], linearVelocity: [-1, 0, 0] },
    ],
    float64Positions: false,
    options: { duration: 'Infinity' },
    result: { pair: 0, status: 1, time: 2, unclampedTime: 2, normal: [1, 0, 0], point: [0.5, 0, 0], iterations: 1 },
    backend: 'cpu',
    adapter: { vendor: '', architecture: '', description: '', isSoftware: true },
  };
}

test('a capture passes as it is', () => {
  expect(parseCapture(crates())).toEqual(crates());
});

test.each<[string, (capture: Record<string, any>) => unknown, RegExp]>([
  ['no object', () => [], /^the capture is an array, expected an object|^the capture is \[\]/],
  ['another version', (c) => (c.version = 2), /^version is 2, expected 1$/],
  ['a field too many', (c) => (c.shape = 1), /^shape is unknown; did you mean 'shapes'\?$/],
  ['a missing query', (c) => delete c.query, /^query is undefined/],
  ['a wrong dimension', (c) => (c.dimension = 4), /^dimension is 4, expected 2 or 3$/],
  ['an algorithm of other queries', (c) => (c.algorithm = 'gjk'), /^algorithm is "gjk", .* \(GJK casts are 'cast'\)$/],
  ['a former name', (c) => (c.algorithm = 'epa'), /^algorithm is "epa", .* \(velocity EPA is 'velocity-epa'\)$/],
  [
    'an unknown algorithm',
    (c) => (c.algorithm = 'sta'),
    /^algorithm is "sta", expected 'auto', 'cast' or 'velocity-epa'$/,
  ],
  ['one shape', (c) => c.shapes.pop(), /^shapes is /],
  ['a shape that is none', (c) => (c.shapes[0] = null), /^shapes\[0\] is null/],
  ['a negative size', (c) => (c.shapes[1].halfExtents[2] = -1), /^shapes\[1\]\.halfExtents\[2\] is -1/],
  [
    'a position of two numbers',
    (c) => c.poses[0].position.pop(),
    /^poses\[0\]\.position is .*expected 3 numbers: x, y, z$/,
  ],
  ['a position of text', (c) => (c.poses[0].position[1] = 'a'), /^poses\[0\]\.position\[1\] is "a"/],
  ['a zero quaternion', (c) => (c.poses[1].quaternion = [0, 0, 0, 0]), /^poses\[1\]\.quaternion is /],
  ['an angle in 3-D', (c) => (c.poses[1].angle = 0), /^poses\[1\]\.angle is unknown/],
  ['a scale of 0', (c) => (c.poses[1].scale = 0), /^poses\[1\]\.scale is 0, expected a finite number above 0$/],
  ['a scale of one body', (c) => (c.poses[1].scale = 2), /^poses\[0\]\.scale is undefined/],
  ['no velocity', (c) => delete c.poses[1].linearVelocity, /^poses\[1\]\.linearVelocity is missing/],
  ['a rotation of text', (c) => (c.poses[1].angularVelocity = [0, 'a', 0]), /^poses\[1\]\.angularVelocity\[1\] is /],
  [
    'a wrong matrix',
    (c) => (c.poses[0] = { matrix: Array(16).fill(1), linearVelocity: [0, 0, 0] }),
    /^poses\[0\]\.matrix/,
  ],
  ['no precision', (c) => delete c.float64Positions, /^float64Positions is undefined/],
  ['no duration', (c) => delete c.options.duration, /^options\.duration is missing/],
  ['an option of another query', (c) => (c.options.mprDepth = 'ray'), /^options\.mprDepth is unknown/],
  ['a negative margin', (c) => (c.options.margin = -1), /^options\.margin is -1/],
  ['no result', (c) => delete c.result, /^result is missing/],
  ['a result of another query', (c) => (c.result.distance = 1), /^result\.distance is unknown/],
  ['a normal of two numbers', (c) => c.result.normal.pop(), /^result\.normal is /],
  [
    'a time of text',
    (c) => (c.result.time = 'soon'),
    /^result\.time is "soon", expected a number, 'Infinity' or '-Infinity'$/,
  ],
  ['a status of none', (c) => (c.result.status = 9), /^result\.status is 9/],
  ['another backend', (c) => (c.backend = 'gpu'), /^backend is "gpu"/],
  ['an adapter without a vendor', (c) => delete c.adapter.vendor, /^adapter\.vendor is undefined/],
])('%s is refused by name', (_, spoil, message) => {
  const capture = crates();
  const replaced = spoil(capture);
  const given = Array.isArray(replaced) && replaced.length === 0 ? replaced : capture;
  expect(() => parseCapture(given)).toThrow(message);
  expect(() => parseCapture(given)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }) as Error);
});
