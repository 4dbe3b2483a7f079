// A grid of several levels, hashed, after Eitz and Lixu, "Hierarchical Spatial Hashing for Real-time Collision
// Detection" (2007).
//
// Each level has cells of one size, and bodies go to the level that fits their size: a level's cells are larger than
// its bodies. A body is in the cell of its box's least corner alone, so bodies of one level that meet are in the same
// cell or in neighbours. Levels are numbered from large to small cells. A body is searched for in its own level and in
// those of larger cells.
//
// Cells are hashed to buckets by rows: the cells of a row, which differ in x alone, have consecutive buckets, so that
// three neighbours are one range of the sorted bodies. A row's key tells its bodies from those of other rows in the same
// buckets. Keys of neighbouring rows differ by constants.

// Bits of a key that have the level. Two values are left out, so that no key is one of BOUND_ (bound.wgsl).
const LEVEL_BITS: u32 = 5u;
const LEVEL_MASK: u32 = 31u;
const LEVEL_COUNT: u32 = 30u;

// No sum of these two, each taken from -2 to 2 times, is 0 modulo 2^27.
const ROW_STEP_Y: u32 = 73856093u;
const ROW_STEP_Z: u32 = 19349663u;

// A share of the cell by which the borders of a range of cells are widened, for the rounding of bodies in larger cells.
const CELL_SLACK: f32 = 1e-5;
// Rounding of a cell's number, as a share of the distance from the grid's origin: twice what f32 can be off by in the
// difference of two.
const PLACE_ROUNDING: f32 = 9.5367432e-7;
// Sizes are told apart by the exponent and two bits of the mantissa.
const SIZE_SHIFT: u32 = 21u;
const SIZE_BINS: u32 = 1024u;
// Bins per octave.
const OCTAVE: u32 = 4u;
// Positive, so that no cell has the size 0.
const LEAST_SIZE: f32 = 1e-30;

// The size of a body, by which it gets its level. `least` and `greatest` are the corners of its box relative to the grid's origin. The size
// includes the rounding of places, so a body far away is in larger cells, in which rounding does not matter.
fn gridSize(least: vec3f, greatest: vec3f, half: vec3f) -> f32 {
  let distance = max(abs(least), abs(greatest));
  let longest = max(half.x, max(half.y, half.z));
  let farthest = max(distance.x, max(distance.y, distance.z));
  return max(2.0 * longest * (1.0 + CELL_SLACK) + PLACE_ROUNDING * farthest, LEAST_SIZE);
}

fn sizeBin(size: f32) -> u32 {
  return min(bitcast<u32>(size) >> SIZE_SHIFT, SIZE_BINS - 1u);
}

// A cell that is larger than the bodies of this bin.
fn cellSizeOf(bin: u32) -> f32 {
  return bitcast<f32>((bin + 1u) << SIZE_SHIFT);
}

fn rowKey(y: i32, z: i32, level: u32) -> u32 {
  return ((u32(y) * ROW_STEP_Y + u32(z) * ROW_STEP_Z) << LEVEL_BITS) | level;
}

// Adds rows to a key. It stays in its level.
fn movedKey(key: u32, y: i32, z: i32) -> u32 {
  return key + ((u32(y) * ROW_STEP_Y + u32(z) * ROW_STEP_Z) << LEVEL_BITS);
}

// The bucket of a cell before it is wrapped. The steps are lowbias32 of Wellons, "Prospecting for Hash Functions" (2018).
fn bucketOf(key: u32, x: u32) -> u32 {
  var hash = key ^ (key >> 16u);
  hash *= 0x7feb352du;
  hash ^= hash >> 15u;
  hash *= 0x846ca68bu;
  hash ^= hash >> 16u;
  return hash + x;
}
