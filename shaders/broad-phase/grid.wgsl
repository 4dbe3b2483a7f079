// A grid of several levels, hashed, after Eitz and Lixu, "Hierarchical Spatial Hashing for Real-time Collision
// Detection" (2007).
//
// Each level has cells of one size, and bodies go to the level that fits their size: a level's cells are larger than
// its bodies. A body is in the cell of its box's least corner alone, so bodies of one level that meet are in the same
// cell or in neighbours. Levels are numbered from large to small cells. A body is searched for in its own level and in
// those of larger cells.
//
// A cell's bucket is x + ROW_STEP_Y y + ROW_STEP_Z z, modulo the number of buckets: a rank-1 lattice (Korobov, "The
// approximate computation of multiple integrals", 1959). The cells of a row differ in x alone, so they have consecutive
// buckets, and three neighbours are one range of the sorted bodies. Cells that share a bucket are far from each other.
// The cells that a body searches all have different buckets, so it meets each other body at most once. FIXED_STEP is
// added for fixed bodies: their buckets differ from those of other bodies in cells that one body searches.
//
// Cells are numbered from the world's origin, modulo 2^32, and are as exact far away as near it. The world is cut into
// blocks whose edge is a power of two, and each block into 64 to 128 cells along each axis. Dividing a coordinate by
// the block's edge is exact, and so are the number of the block and the rest, which is at most one block long.

import package::shared::constants::{FRACTION_BITS};

// Low bits of a key: the level, and whether the bodies are fixed. Two levels are left out, so that no key is one of
// BOUND_ (bound.wgsl).
const LEVEL_MASK: u32 = 31u;
const LEVEL_COUNT: u32 = 30u;
const KEY_FIXED: u32 = 32u;
const CELL_SHIFT: u32 = 6u;

// Chosen by a search so that the lattice has no short vectors for any power of two from 2^8 to 2^26 as the number of
// buckets: the shortest has at least 0.76 times the cube root of that number, and 0.59 times its square root among the
// vectors in a plane along two axes. No sum of 1 and these two, each taken from -2 to 2 times, is 0 modulo
// LEAST_BUCKETS, except if all are taken 0 times.
const ROW_STEP_Y: u32 = 36800729u;
const ROW_STEP_Z: u32 = 19553815u;
// No sum of 1 and these two, each taken from -2 to 2 times, is this or its negative modulo LEAST_BUCKETS.
const FIXED_STEP: u32 = 70u;
// The fewest buckets that a level has; a power of two.
const LEAST_BUCKETS: u32 = 128u;

// A share of the cell: more than the rounding of the corners of two bodies. A corner's place in its block is the sum of
// up to five numbers, each rounded by at most 2^-17 of a cell, and two roundings by 2^-18 follow.
const CELL_SLACK: f32 = 2e-4;
// Least size of a body, as a share of its distance from the world's origin. With it, the number of a block fits an i32.
const LEAST_SHARE: f32 = 1.4551915e-11;
// Positive, so that no cell has the size 0.
const LEAST_SIZE: f32 = 1e-30;

// Sizes are told apart by the exponent and two bits of the mantissa.
const SIZE_SHIFT: u32 = 21u;
const SIZE_BINS: u32 = 1024u;
// Bins per octave.
const OCTAVE: u32 = 4u;

// The cells of a level: a power of two of blocks per metre, and cells along a block's edge.
struct CellScale {
  blocksPerMetre: f32,
  cellsPerBlock: u32,
}

// A coordinate along each axis: a block's number, and the rest in blocks, from 0 to 1.
struct Place {
  block: vec3i,
  rest: vec3f,
}

// The size of a body, by which it gets its level. `distance` is at least that of its box's centre along each axis.
fn gridSize(half: vec3f, distance: vec3f) -> f32 {
  let longest = max(half.x, max(half.y, half.z));
  let farthest = max(distance.x, max(distance.y, distance.z));
  return max(2.0 * longest * (1.0 + CELL_SLACK), max(LEAST_SHARE * farthest, LEAST_SIZE));
}

fn sizeBin(size: f32) -> u32 {
  return min(bitcast<u32>(size) >> SIZE_SHIFT, SIZE_BINS - 1u);
}

// A size that is greater than those of this bin.
fn sizeAbove(bin: u32) -> f32 {
  return bitcast<f32>((bin + 1u) << SIZE_SHIFT);
}

// Cells of at least this size, and less than 2 % more.
fn scaleFor(size: f32) -> CellScale {
  // The edge of a block is the power of two from 64 to 128 sizes. Its reciprocal has the exponent negated.
  let exponent = (bitcast<u32>(size) >> 23u) + 7u;
  let edge = bitcast<f32>(exponent << 23u);
  return CellScale(bitcast<f32>((254u - exponent) << 23u), u32(edge / size));
}

fn addPlace(place: Place, metres: vec3f, scale: CellScale) -> Place {
  let blocks = metres * scale.blocksPerMetre;
  let whole = floor(blocks);
  let rest = place.rest + (blocks - whole);
  let carried = floor(rest);
  return Place(place.block + vec3i(whole) + vec3i(carried), rest - carried);
}

// The place of numbers of 2^-FRACTION_BITS cells of fixed-point positions, by halves that f32 holds.
fn addFixedPoint(place: Place, numbers: vec3i, unit: f32, scale: CellScale) -> Place {
  let upper = addPlace(place, vec3f(numbers / 32768) * (32768.0 * unit), scale);
  return addPlace(upper, vec3f(numbers % 32768) * unit, scale);
}

fn fixedPointPlace(cells: vec3i, fractions: vec3i, cellSize: f32, scale: CellScale) -> Place {
  let whole = addFixedPoint(Place(), cells, cellSize, scale);
  return addFixedPoint(whole, fractions, cellSize / f32(1u << FRACTION_BITS), scale);
}

// The cell at `metres` from a place. `slack` is in cells.
fn cellAt(place: Place, metres: vec3f, slack: f32, scale: CellScale) -> vec3i {
  let cells = f32(scale.cellsPerBlock);
  let within = floor(place.rest * cells + metres * (scale.blocksPerMetre * cells) + slack);
  return place.block * i32(scale.cellsPerBlock) + vec3i(within);
}

// The key of a cell. Its high bits are the cell's bucket in its level, before it is wrapped; `kind` has the low ones.
fn cellKey(cell: vec3i, kind: u32) -> u32 {
  return movedKey(kind + select(0u, FIXED_STEP << CELL_SHIFT, (kind & KEY_FIXED) != 0u), cell);
}

// Moves a key by a number of cells along each axis. It stays in its level.
fn movedKey(key: u32, cells: vec3i) -> u32 {
  return key + ((u32(cells.x) + u32(cells.y) * ROW_STEP_Y + u32(cells.z) * ROW_STEP_Z) << CELL_SHIFT);
}

fn bucketOf(key: u32) -> u32 {
  return key >> CELL_SHIFT;
}
