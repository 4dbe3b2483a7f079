/** Rows of four numbers of 32 bits, as kernels read them. */

/** Numbers per row. */
export const ROW = 4;

/** In place of where a piece begins: the edge has several, which have rows of their own. */
export const SEVERAL = -1;

export interface RowWriter {
  readonly integers: Uint32Array<ArrayBuffer>;
  readonly floats: Float32Array;
  /** Write the first numbers of a row. */
  integer(row: number, ...values: number[]): void;
  number(row: number, ...values: number[]): void;
}

export function createRowWriter(integers: Uint32Array<ArrayBuffer>): RowWriter {
  const floats = new Float32Array(integers.buffer);
  return {
    integers,
    floats,
    integer: (row, ...values) => integers.set(values, ROW * row),
    number: (row, ...values) => floats.set(values, ROW * row),
  };
}
