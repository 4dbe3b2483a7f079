// Positions as fixed-point numbers: per axis a number of cells, then a number of 2^-FRACTION_BITS of a cell.

import package::shared::constants::{FRACTION_BITS};

// The difference of two positions, from the differences of their cells and of their fractions. Integers subtract
// exactly wherever the bodies are, and no compiler reassociates them. If the cells are the same or neighbours, cells
// and fractions are summed as integers before they are rounded to f32.
fn fixedPointOffset(cells: vec3i, fractions: vec3i, cellSize: f32) -> vec3f {
  let isNear = abs(cells) <= vec3i(1);
  let whole = select(vec3i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec3i(0), isNear);
  return vec3f(whole) * (cellSize / f32(1u << FRACTION_BITS)) + vec3f(rest) * cellSize;
}
