/** Bodies of thin walls: the depth that their walls show is no more than a wall's thickness. */

import { describe, expect, test } from 'vitest';
import type { MeshDescription, ShapeDescription } from '../../../src/api/shapes.ts';
import { clashOfTwo } from '../../helpers/clashes.ts';

const WALL = 2 ** -10;
const HALF = 0.5;

/** A square duct along x. */
function duct(half: number): ShapeDescription {
  const wall = (axis: 1 | 2, side: number) => {
    const halfExtents: [number, number, number] = [1, half, half];
    const position: [number, number, number] = [0, 0, 0];
    halfExtents[axis] = WALL / 2;
    position[axis] = side * (half - WALL / 2);
    return { shape: { type: 'box', halfExtents }, position } as const;
  };
  return { type: 'compound', parts: [wall(1, -1), wall(1, 1), wall(2, -1), wall(2, 1)] };
}

/** The corners of a square across x. */
function square(x: number, half: number): number[][] {
  return [
    [x, -half, -half],
    [x, half, -half],
    [x, half, half],
    [x, -half, half],
  ];
}

/** A square tube along x, as a closed mesh: outer and inner faces, and both ends. */
function tube(outer: number, inner: number): MeshDescription {
  const positions = [...square(-1, outer), ...square(1, outer), ...square(-1, inner), ...square(1, inner)].flat();
  const indices: number[] = [];
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4;
    const quads = [
      [k, next, 4 + next, 4 + k],
      [8 + next, 8 + k, 12 + k, 12 + next],
      [next, k, 8 + k, 8 + next],
      [4 + k, 4 + next, 12 + next, 12 + k],
    ];
    for (const [a, b, c, d] of quads) indices.push(a, d, c, a, c, b);
  }
  return { type: 'mesh', positions, indices };
}

describe('a tolerance above the thickness of the walls', () => {
  const limits = { tolerance: 4 * WALL, clearance: null };

  test.each([
    ['ducts shifted along their axis', duct(HALF), duct(HALF), [0.25, 0, 0]],
    ['ducts that cross', duct(HALF), duct(HALF), [0, 0.25, 0.25]],
    ['tubes shifted along their axis', tube(HALF, HALF - WALL), tube(HALF, HALF - WALL), [0.25, 0, 0]],
    ['a duct in a tube too small for it', duct(HALF), tube(HALF, HALF - WALL), [0.25, 0, 0]],
  ] as const)('%s are not touching', async (_, a, b, position) => {
    const clash = await clashOfTwo({ shape: a }, { shape: b, position: [...position] }, limits);
    expect(clash).toMatchObject({ source: 'bound' });
    expect(['overlap', 'contained']).toContain(clash!.category);
    expect(-clash!.distance).toBeGreaterThan(0);
  });

  test.each([
    ['ducts side by side', [0, 2 * HALF, 0]],
    ['ducts side by side, a little in each other', [0, 2 * HALF - WALL / 2, 0]],
    ['ducts side by side, deeper than a wall, less than the tolerance', [0, 2 * HALF - 3 * WALL, 0]],
    ['ducts end to end', [2 - WALL / 2, 0, 0]],
    ['ducts edge to edge', [0, 2 * HALF - WALL / 2, 2 * HALF - WALL / 2]],
  ] as const)('%s are touching', async (_, position) => {
    const clash = await clashOfTwo({ shape: duct(HALF) }, { shape: duct(HALF), position: [...position] }, limits);
    expect(clash?.category).toBe('touching');
  });

  test('a bar in a tube of its own size is touching', async () => {
    const bar: ShapeDescription = { type: 'box', halfExtents: [2, HALF / 2, HALF / 2] };
    const clash = await clashOfTwo({ shape: bar }, { shape: tube(HALF, HALF / 2) }, limits);
    expect(clash?.category).toBe('touching');
  });
});
