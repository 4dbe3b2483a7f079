/**
 * The mesh of a terrain that is given by heights over a grid:
 *
 *     row 0     0---1---2      x goes along a row, z from row to row, y up. The numbers are those of
 *               | / | / |      vertices; `columns` is 3. Each square has two triangles, which are
 *     row 1     3---4---5      counter-clockwise from above.
 */
import { invalidInput } from '../api/errors.ts';
import type { MeshDescription, NumberList } from '../api/shapes.ts';
import { expectKnown, namesOf } from '../util/known.ts';
import { finiteNumber, lengthNumber, numberList } from './fields.ts';

/** A terrain: heights at the points of a grid. */
export interface HeightfieldOptions {
  /** The heights, row by row: at least two rows of `columns` numbers each. */
  heights: NumberList;
  /** Points per row, at least 2. */
  columns: number;
  /** Lengths of the grid along x and along z. Its middle is at the origin. */
  size: readonly [x: number, z: number];
}

/** What `heightfield` makes. */
export interface HeightfieldMesh extends MeshDescription {
  positions: Float32Array;
  indices: Uint32Array;
  sides: 'front';
}

const FIELDS = namesOf<HeightfieldOptions>({ heights: true, columns: true, size: true });

/** Triangles of a mesh at most. */
const MOST_TRIANGLES = 2 ** 26;

/**
 * The description of a mesh for a terrain, for `addShape`. The height of point (row, column) is `heights[row * columns + column]`;
 * heights are along y. Square (row, column) has the triangles 2 (row (columns - 1) + column) and the one after it. Only their upper
 * side is surface (`sides: 'front'`), so that bodies which have sunk into the ground come up.
 *
 * @throws NarrowphaseError `INVALID_INPUT` for unknown or wrong options, with the field, its value and what was expected.
 */
export function heightfield(options: HeightfieldOptions): HeightfieldMesh {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', FIELDS, 'for a heightfield');
  const { columns, size } = options;
  if (!Number.isInteger(columns) || columns < 2) invalidInput('options.columns', columns, 'an integer of at least 2');
  const expected = `at least two rows of ${columns} heights`;
  const isLength = (n: number): boolean => n >= 2 * columns && n % columns === 0;
  const heights = numberList(options.heights, 'options.heights', expected, isLength);
  const rows = heights.length / columns;
  const triangles = 2 * (rows - 1) * (columns - 1);
  if (triangles > MOST_TRIANGLES)
    invalidInput('options.heights.length', heights.length, `a grid of at most ${MOST_TRIANGLES} triangles`);
  const lengths = numberList(size, 'options.size', 'the lengths along x and z', (n) => n === 2);
  const [width, depth] = [0, 1].map((k) => {
    const length = finiteNumber(lengths[k], `options.size[${k}]`, Math.fround);
    if (!(length > 0)) invalidInput(`options.size[${k}]`, lengths[k], 'a positive number within the range of f32');
    return length;
  });
  const positions = new Float32Array(3 * heights.length);
  for (let i = 0, at = 0; i < heights.length; i++, at += 3) {
    positions[at] = width * ((i % columns) / (columns - 1) - 0.5);
    positions[at + 1] = lengthNumber(heights[i], `options.heights[${i}]`, Math.fround);
    positions[at + 2] = depth * (Math.floor(i / columns) / (rows - 1) - 0.5);
  }
  return { type: 'mesh', positions, indices: indicesOf(rows, columns), sides: 'front' };
}

function indicesOf(rows: number, columns: number): Uint32Array {
  const indices = new Uint32Array(6 * (rows - 1) * (columns - 1));
  let at = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      const below = a + columns;
      indices.set([a, below, a + 1, a + 1, below, below + 1], at);
      at += 6;
    }
  }
  return indices;
}
