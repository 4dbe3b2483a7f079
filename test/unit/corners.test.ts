/** Corners of a contact region as they are gathered, before four of them are chosen. */

import { beforeEach, describe, expect, test } from 'vitest';
import { addCorner, clearCorners, cornerCount, cornerId, cornerPlace } from '../../src/cpu/corners.ts';

beforeEach(clearCorners);

describe('corners in one place', () => {
  test('are one, the deeper with the lower id, where any are merged', () => {
    addCorner({ u: 1, v: 2, h: 0, distance: -0.25 }, 7, 7, 1e-9);
    addCorner({ u: 1, v: 2, h: 0, distance: -0.5 }, 9, 9, 1e-9);
    addCorner({ u: 1, v: 2 + 5e-10, h: 0, distance: -0.375 }, 5, 5, 1e-9);
    expect([cornerCount(), cornerId(0), cornerPlace(0, 3)]).toEqual([1, 5, -0.5]);
  });

  test('stay apart where none are, as in the kernels', () => {
    addCorner({ u: 1, v: 2, h: 0, distance: -0.25 }, 7, 7, 1e-9);
    addCorner({ u: 1, v: 2, h: 0, distance: -0.5 }, 9, 9, 0);
    expect([cornerCount(), cornerId(0), cornerId(1), cornerPlace(0, 3), cornerPlace(1, 3)]).toEqual([
      2, 7, 9, -0.25, -0.5,
    ]);
  });
});
