/** Buckets of the grid on the GPU: cells that one body searches share none (shaders/broad-phase/grid.wgsl). */
import { describe, expect, it } from 'vitest';
import { FIXED_STEP, LEAST_BUCKETS, ROW_STEP_Y, ROW_STEP_Z } from '../../src/generated/constants.ts';

/** Bucket of a cell, relative to that of the cell 0, 0, 0. */
function bucketOf([x, y, z]: readonly number[], buckets: number): number {
  const modulus = BigInt(buckets);
  const sum = BigInt(x) + BigInt(ROW_STEP_Y) * BigInt(y) + BigInt(ROW_STEP_Z) * BigInt(z);
  return Number(((sum % modulus) + modulus) % modulus);
}

function cellsWithin(reach: number): number[][] {
  const range = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  return range.flatMap((x) => range.flatMap((y) => range.map((z) => [x, y, z])));
}

describe('buckets of a level', () => {
  it('are a power of two, so those of a level with more of them differ too', () => {
    expect(Math.log2(LEAST_BUCKETS) % 1).toBe(0);
  });

  it('differ between cells up to two apart along each axis', () => {
    const shared = cellsWithin(2).filter((cell) => bucketOf(cell, LEAST_BUCKETS) === 0);
    expect(shared).toEqual([[0, 0, 0]]);
  });

  it('of fixed bodies differ from those of others in cells up to two apart', () => {
    for (const cell of cellsWithin(2))
      expect(bucketOf(cell, LEAST_BUCKETS), `cell ${cell.join()}`).not.toBe(FIXED_STEP);
  });

  it('are shared by fewer cells of a cube than if they were random', () => {
    for (const bits of [9, 12, 15, 17]) {
      const buckets = 2 ** bits;
      const edge = Math.floor(Math.cbrt(buckets / 2));
      const isUsed = new Uint8Array(buckets);
      for (let z = 0; z < edge; z++)
        for (let y = 0; y < edge; y++)
          for (let x = 0; x < edge; x++) isUsed[(x + ROW_STEP_Y * y + ROW_STEP_Z * z) % buckets] = 1;
      const used = isUsed.reduce((sum, value) => sum + value, 0);
      // n random numbers below 2 n have 0.79 n different values.
      expect(used / edge ** 3, `${edge} cells along each axis`).toBeGreaterThan(0.9);
    }
  });
});
