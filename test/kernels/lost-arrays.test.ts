/** Arrays that a caller transfers or shrinks while the device answers a query. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { isMarked, markedTarget } from '../helpers/abort.ts';
import { balls, ballPairs, ballShapes } from '../helpers/balls.ts';
import { testLostArrays } from '../helpers/lost-arrays.ts';
import { detached } from '../helpers/memory.ts';

testLostArrays((dimension) => createTester({ backend: 'webgpu', dimension } as object) as never, /intersects|rayCasts/);

test('a large query, whose input the device checks, names an array that is lost at any time', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  for (const shape of ballShapes) tester.addShape(shape);
  const pairs = ballPairs(40_000);
  const expected = await tester.distances(balls, pairs);
  for (const milliseconds of [0, 0, 1, 2, 4, 8]) {
    for (const field of ['pairs', 'bodies.positions', 'options.target.distance']) {
      const bodies = { ...balls, positions: balls.positions.slice() };
      const own = pairs.slice();
      const target = markedTarget(expected);
      const answer = tester.distances(bodies, own, { target: target as never }).then(
        () => undefined,
        (error: Error) => error,
      );
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const lost = { pairs: own, 'bodies.positions': bodies.positions, 'options.target.distance': target.distance }[
        field
      ]!;
      detached(lost as Float32Array);
      const error = await answer;
      if (!error && milliseconds > 0) continue;
      expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(`${field} is `) });
      delete target[field.replace('options.target.', '')];
      expect(isMarked(target)).toBe(true);
    }
  }
  expect((await tester.distances(balls, pairs)).distance).toEqual(expected.distance);
  tester.dispose();
});
