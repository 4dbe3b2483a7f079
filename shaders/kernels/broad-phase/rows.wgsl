// Where a body looks for partners: rows of cells, each a range of the sorted bodies.
//
// Of two bodies in one level, of which neither is fixed, the one whose cell comes first finds the pair: in its own cell
// those behind it in the array, then the next cell, and then the rows that come after. A body that is not fixed also
// searches all cells around it for the fixed ones of its level. Every body searches the levels of larger cells, but two
// fixed bodies are no pair.

import package::broad-phase::bound::{GridBody, IS_FIXED};
import package::broad-phase::grid::{
  addPlace, bucketOf, cellAt, movedKey, rowKey, CellScale, CELL_SLACK, KEY_FIXED, LEVEL_MASK
};
import package::broad-phase::state::{STATE_BLOCKS_PER_METRE, STATE_CELLS_PER_BLOCK, STATE_OCCUPIED};
import package::kernels::broad-phase::parameters::{parameters, IS_PLANAR};
import package::kernels::broad-phase::positions::{placeOf};

@group(0) @binding(6) var<storage, read> state: array<u32>;
@group(0) @binding(10) var<storage, read> columns: array<u32>;
@group(0) @binding(11) var<storage, read> buckets: array<u32>;
@group(0) @binding(12) var<storage, read> sorted: array<GridBody>;

// Bodies of a row: a range of places, counted on beyond the last place where the buckets wrap.
struct Row {
  key: u32,
  first: u32,
  end: u32,
}

// Rows of one level, of fixed bodies or of others.
struct Layer {
  rowCount: u32,
  // Whether they are of the body's own level, and neither it nor they are fixed.
  isOwn: bool,
  // Otherwise the low bits of the keys, and the cells.
  kind: u32,
  least: vec3i,
  counts: vec3u,
}

fn numberOf(body: GridBody) -> u32 {
  return body.body & ~IS_FIXED;
}

// Bodies in the grid.
fn gridCount() -> u32 {
  return buckets[parameters.bucketMask + 1u];
}

fn layerCount(body: GridBody) -> u32 {
  return 2u * ((body.key & LEVEL_MASK) + 1u);
}

// Layer `i` of a body: from its own level to that of the largest cells, first the bodies that are not fixed.
fn layerOf(body: GridBody, i: u32) -> Layer {
  var layer: Layer;
  let level = (body.key & LEVEL_MASK) - i / 2u;
  let isOfFixed = (i & 1u) != 0u;
  let isFixed = (body.key & KEY_FIXED) != 0u;
  // A fixed body is found by the others of its level.
  let isEmpty = (state[STATE_OCCUPIED + (i & 1u)] & (1u << level)) == 0u;
  if (isEmpty || (isFixed && (isOfFixed || i == 0u))) {
    return layer;
  }
  layer.isOwn = i == 0u;
  if (layer.isOwn) {
    layer.rowCount = select(5u, 2u, IS_PLANAR);
    return layer;
  }
  layer.kind = level | select(0u, KEY_FIXED, isOfFixed);
  // The cells in which the least corners of the bodies of this level that meet this body are.
  let scale = CellScale(bitcast<f32>(state[STATE_BLOCKS_PER_METRE + level]), state[STATE_CELLS_PER_BLOCK + level]);
  let centre = addPlace(placeOf(numberOf(body), body.position, scale), body.offset, scale);
  layer.least = cellAt(centre, -body.half, -CELL_SLACK, scale) - vec3i(1);
  let greatest = cellAt(centre, body.half, CELL_SLACK, scale);
  layer.counts = vec3u(clamp(greatest - layer.least + 1, vec3i(1), vec3i(3)));
  if (IS_PLANAR) {
    layer.least.z = 0;
    layer.counts.z = 1u;
  }
  layer.rowCount = layer.counts.y * layer.counts.z;
  return layer;
}

// Row `i` of a layer of the body at `slot`.
fn rowOf(layer: Layer, i: u32, body: GridBody, slot: u32) -> Row {
  if (!layer.isOwn) {
    let key = rowKey(layer.least.y + i32(i % layer.counts.y), layer.least.z + i32(i / layer.counts.y), layer.kind);
    return rowFrom(key, bucketOf(key, u32(layer.least.x)), layer.counts.x);
  }
  let x = columns[numberOf(body)];
  if (i == 0u) {
    var row = rowFrom(body.key, bucketOf(body.key, x), 2u);
    row.first = slot + 1u;
    return row;
  }
  // The next row, and the three of the next layer of cells.
  let y = select(i32(i) - 3, 1, i == 1u);
  let z = select(1, 0, i == 1u);
  let key = movedKey(body.key, y, z);
  return rowFrom(key, bucketOf(key, x - 1u), 3u);
}

fn rowFrom(key: u32, bucket: u32, cellCount: u32) -> Row {
  let first = bucket & parameters.bucketMask;
  let last = (first + cellCount - 1u) & parameters.bucketMask;
  let end = buckets[last + 1u];
  return Row(key, buckets[first], select(end, end + gridCount(), last < first));
}
