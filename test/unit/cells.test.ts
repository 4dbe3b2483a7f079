/** The size of cells is the smallest power of two for which all coordinates have a cell number. */

import { expect, test } from 'vitest';
import { cellExponentFor } from '../../src/records/cells.ts';
import { upperHighWord } from '../../src/records/cells-of-positions.ts';
import { createRandom } from '../../verification/families/random.ts';

const exponentFor = (value: number): number => cellExponentFor(upperHighWord(value));

test('the greatest coordinate has a cell number, and would have none in smaller cells', () => {
  const random = createRandom(20_261_127);
  for (let i = 0; i < 100_000; i++) {
    const power = 2 ** Math.floor(160 * random() - 60);
    const value = power * [1, 1 + 2 ** -52, 1 - 2 ** -53, 1 + random()][i % 4];
    const cells = value / 2 ** exponentFor(value);
    expect(cells > 2 ** 28 && cells <= 2 ** 29, `${value}`).toBe(true);
  }
});

test('no cell is smaller than 2^-100', () => {
  for (const value of [0, 5e-324, 1e-300, 2 ** -71]) expect(exponentFor(value)).toBe(-100);
  expect(exponentFor(2 ** -71 * (1 + 2 ** -52))).toBe(-99);
});
