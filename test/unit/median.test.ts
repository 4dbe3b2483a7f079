/** Medians and ratios of rounds. */
import { describe, expect, it } from 'vitest';
import { median, ratioOf } from '../../verification/statistics/median.ts';

describe('figures', () => {
  it('a ratio is the median of the ratios of each round, not the ratio of medians', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    // The second round was slow for both.
    expect(ratioOf([10, 2, 12], [1, 0.2, 1])).toEqual({ median: 10, least: 10, greatest: 12 });
  });

  it('a subject that died has ratios of the rounds it took part in', () => {
    expect(ratioOf([10, 20, 30], [1, 4])).toEqual({ median: 7.5, least: 5, greatest: 10 });
  });
});
