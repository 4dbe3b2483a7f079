/** The queue of a tester's queries. */

import { expect, test, vi } from 'vitest';
import { createQueryQueue } from '../../src/tester/query-queue.ts';

test('a query that is refused has ended', async () => {
  const inTurn = createQueryQueue(() => {});
  const ends = [vi.fn(), vi.fn()];
  const refused = inTurn('findPairs', {}, (onEnd) => {
    ends.forEach(onEnd);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  for (const end of ends) expect(end).toHaveBeenCalledOnce();
  await expect(inTurn('findPairs', {}, () => async () => 'next')).resolves.toBe('next');
});
