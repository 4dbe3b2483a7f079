/** Every capture in verification/captures on the CPU. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import { answersOf, faultsOf, referenceOf, regressions } from '../helpers/regressions.ts';

test('there are captures', () => {
  expect(regressions().length).toBeGreaterThanOrEqual(5);
});

test.each(regressions())('%s has the reference’s answer on the CPU', async (_, capture) => {
  const tester = await createTester({ backend: 'cpu', threads: 1, dimension: capture.dimension } as { dimension: 3 });
  const answers = await answersOf(tester, capture);
  expect(faultsOf(capture, answers, await referenceOf(tester, capture), 'reference')).toEqual([]);
  tester.dispose();
});

test('a wrong answer is a fault', async () => {
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  for (const [file, capture] of regressions()) {
    if (capture.dimension !== 3) continue;
    const reference = await referenceOf(tester, capture);
    const moved = (await answersOf(tester, capture)).map((item) => {
      const name = 'contactDistance' in item ? 'contactDistance' : 'distance';
      return name in item ? { ...item, [name]: Number(item[name]) - 1 } : item;
    });
    expect(faultsOf(capture, moved, reference, 'kernels'), file).not.toEqual([]);
  }
  tester.dispose();
});
