// Where a body looks for partners: rows of cells, each a range of the sorted bodies.
//
// Of two bodies in one level, of which neither is fixed, the one whose cell comes first finds the pair: in its own cell
// those after it in the array, then the next cell, and then the rows that come after. A body that is not fixed also
// searches all cells around it for the fixed ones of its level. Every body searches the levels of larger cells, but two
// fixed bodies do not form a pair.

import package::broad-phase::bound::{bodyNumber, GridBody};
import package::broad-phase::grid::{
  addPlace, bucketOf, cellAt, cellKey, movedKey, CellScale, CELL_SLACK, KEY_FIXED, LEVEL_MASK
};
import package::broad-phase::state::{
  STATE_BLOCKS_PER_METRE, STATE_BUCKET_MASKS, STATE_CELLS_PER_BLOCK, STATE_FIRST_BUCKETS, STATE_OCCUPIED
};
import package::broad-phase::steps::{endsInNextCell, stepBox, StepBox};
import package::kernels::broad-phase::parameters::{parameters, IS_PLANAR};
import package::kernels::broad-phase::positions::{placeOf};

@group(0) @binding(6) var<storage, read> state: array<u32>;
// By place: the least and the greatest steps of each box.
@group(0) @binding(10) var<storage, read> steps: array<vec2u>;
@group(0) @binding(11) var<storage, read> buckets: array<u32>;

// Rows of one level, of fixed bodies or of others.
struct Layer {
  rowCount: u32,
  // Whether they are of the body's own level, and neither it nor they are fixed.
  isOwn: bool,
  // Of the first cell.
  key: u32,
  // Cells of a row and rows of a plane, unless the rows are the body's own.
  width: u32,
  height: u32,
  // The body's box, in steps of the level.
  steps: StepBox,
  ends: vec3<bool>,
  // First bucket of the level, number of its buckets less one, end of its places, and number of its places.
  firstBucket: u32,
  bucketMask: u32,
  endPlace: u32,
  placeCount: u32,
}

// Layers that are still to be searched: one bit per level, of bodies that are not fixed and of fixed ones.
struct Layers {
  free: u32,
  fixed: u32,
}

// Bodies of ROWS rows of a layer, one row after the other, as if they were next to each other.
struct Rows {
  // The end of each row, and what is added to get to its places.
  ends: vec4u,
  shifts: vec4u,
  lastEnds: vec2u,
  lastShifts: vec2u,
}

const ROWS: u32 = 6u;

// Bodies in the grid.
fn gridCount() -> u32 {
  return buckets[parameters.bucketCount];
}

// The layers from the body's own level to that of the largest cells.
fn layersOf(body: GridBody) -> Layers {
  let level = body.key & LEVEL_MASK;
  let levels = (2u << level) - 1u;
  let free = state[STATE_OCCUPIED] & levels;
  let fixed = state[STATE_OCCUPIED + 1u] & levels;
  if ((body.key & KEY_FIXED) != 0u) {
    // A fixed body is found by the others of its level.
    return Layers(free & ~(1u << level), 0u);
  }
  return Layers(free, fixed);
}

fn isNone(layers: Layers) -> bool {
  return (layers.free | layers.fixed) == 0u;
}

fn firstLevel(layers: Layers) -> u32 {
  return firstLeadingBit(select(layers.fixed, layers.free, layers.free != 0u));
}

// The layers after the first.
fn otherLayers(layers: Layers) -> Layers {
  let bit = 1u << firstLevel(layers);
  let isFree = layers.free != 0u;
  return Layers(select(0u, layers.free & ~bit, isFree), select(layers.fixed & ~bit, layers.fixed, isFree));
}

// The first of the layers, for the body at `slot`.
fn layerOf(body: GridBody, slot: u32, layers: Layers) -> Layer {
  var layer: Layer;
  let level = firstLevel(layers);
  let isOfFixed = layers.free == 0u;
  layer.firstBucket = state[STATE_FIRST_BUCKETS + level];
  layer.bucketMask = state[STATE_BUCKET_MASKS + level];
  layer.endPlace = buckets[layer.firstBucket + layer.bucketMask + 1u];
  layer.placeCount = layer.endPlace - buckets[layer.firstBucket];
  layer.isOwn = !isOfFixed && (body.key & (LEVEL_MASK | KEY_FIXED)) == level;
  if (layer.isOwn) {
    layer.rowCount = select(5u, 2u, IS_PLANAR);
    layer.key = body.key;
    layer.steps = stepsOf(slot);
    layer.ends = endsInNextCell(layer.steps);
    layer.width = select(2u, 3u, layer.ends.x);
    return layer;
  }
  // The cells in which the least corners of the bodies of this level that meet this body are.
  let scale = CellScale(bitcast<f32>(state[STATE_BLOCKS_PER_METRE + level]), state[STATE_CELLS_PER_BLOCK + level]);
  let centre = addPlace(placeOf(bodyNumber(body), body.position, scale), body.offset, scale);
  let least = cellAt(centre, -body.half, -CELL_SLACK, scale) - vec3i(1);
  let greatest = cellAt(centre, body.half, CELL_SLACK, scale);
  let counts = vec3u(clamp(greatest - least + 1, vec3i(1), vec3i(3)));
  layer.key = cellKey(
    vec3i(least.xy, select(least.z, 0, IS_PLANAR)), level | select(0u, KEY_FIXED, isOfFixed)
  );
  layer.width = counts.x;
  layer.height = counts.y;
  layer.rowCount = counts.y * select(counts.z, 1u, IS_PLANAR);
  layer.steps = stepBox(centre, body.half, scale);
  return layer;
}

fn stepsOf(slot: u32) -> StepBox {
  let box = steps[slot];
  return StepBox(box.x, box.y);
}

// How far row `i` is from the first one, along y and z. The body's own layer has its own row, the next row, and the
// three rows of the next plane.
fn rowStep(layer: Layer, i: u32) -> vec2i {
  if (layer.isOwn) {
    return vec2i(select(select(i32(i) - 3, 1, i == 1u), 0, i == 0u), select(0, 1, i > 1u));
  }
  let z = u32(i >= layer.height) + u32(i >= 2u * layer.height);
  return vec2i(i32(i - z * layer.height), i32(z));
}

// Rows `first` to `first` + ROWS - 1 of a layer of the body at `slot`. Rows that do not exist are empty.
fn rowsFrom(layer: Layer, first: u32, slot: u32) -> Rows {
  let a = rowBehind(layer, first, 0u, slot);
  let b = rowBehind(layer, first + 1u, a.x, slot);
  let c = rowBehind(layer, first + 2u, b.x, slot);
  let d = rowBehind(layer, first + 3u, c.x, slot);
  let e = rowBehind(layer, first + 4u, d.x, slot);
  let f = rowBehind(layer, first + 5u, e.x, slot);
  return Rows(vec4u(a.x, b.x, c.x, d.x), vec4u(a.y, b.y, c.y, d.y), vec2u(e.x, f.x), vec2u(e.y, f.y));
}

// The end of row `i`, which begins at `start`, and what is added to get to its places.
fn rowBehind(layer: Layer, i: u32, start: u32, slot: u32) -> vec2u {
  // The first one of the body's own rows begins with the body's cell, the others with the cell before.
  let isFirstOfOwn = layer.isOwn && i == 0u;
  let isMissing = i >= layer.rowCount || (layer.isOwn && isBeyond(layer, i));
  let x = select(0, -1, layer.isOwn && !isFirstOfOwn);
  let width = layer.width - select(0u, 1u, isFirstOfOwn);
  let bucket = bucketOf(movedKey(layer.key, vec3i(x, rowStep(layer, i)))) & layer.bucketMask;
  let last = (bucket + width - 1u) & layer.bucketMask;
  let first = select(buckets[layer.firstBucket + bucket], slot + 1u, isFirstOfOwn);
  let end = buckets[layer.firstBucket + last + 1u] + select(0u, layer.placeCount, last < bucket);
  return vec2u(start + select(end - first, 0u, isMissing), first - start);
}

// Whether the body ends before own row `i`.
fn isBeyond(layer: Layer, i: u32) -> bool {
  return ((i == 1u || i == 4u) && !layer.ends.y) || (i >= 2u && !layer.ends.z);
}

fn countOf(rows: Rows) -> u32 {
  return rows.lastEnds.y;
}

// The place of body `i` of the rows.
fn slotOf(layer: Layer, rows: Rows, i: u32) -> u32 {
  var shift = select(rows.shifts.x, rows.shifts.y, i >= rows.ends.x);
  shift = select(shift, rows.shifts.z, i >= rows.ends.y);
  shift = select(shift, rows.shifts.w, i >= rows.ends.z);
  shift = select(shift, rows.lastShifts.x, i >= rows.ends.w);
  shift = select(shift, rows.lastShifts.y, i >= rows.lastEnds.x);
  let at = i + shift;
  return select(at, at - layer.placeCount, at >= layer.endPlace);
}
