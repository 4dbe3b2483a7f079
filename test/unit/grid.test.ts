import { expect, test } from 'vitest';
import { gridWidth } from '../../src/gpu/kernels.ts';

test('the grid of a dispatch has room for all workgroups, and hardly more', () => {
  for (const limit of [65535, 1000, 1]) {
    for (const workgroups of [
      0,
      1,
      7,
      limit - 1,
      limit,
      limit + 1,
      2 * limit - 1,
      2 * limit,
      2 * limit + 1,
      17 * limit + 3,
    ].filter((n) => n <= limit ** 2)) {
      const width = gridWidth({ limits: { maxComputeWorkgroupsPerDimension: limit } }, workgroups);
      const height = Math.ceil(workgroups / width);
      expect(width).toBeGreaterThan(0);
      expect(Math.max(width, height)).toBeLessThanOrEqual(Math.max(limit, 1));
      expect(width * height).toBeGreaterThanOrEqual(workgroups);
      expect(width * height - workgroups).toBeLessThan(Math.max(height, 1));
    }
  }
});
