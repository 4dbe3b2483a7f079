// What every kernel over pairs reads, whatever the bodies are: parameters, pairs, and which of the pairs are its own.

import package::shared::results::{LIST_HEADER};

struct Parameters {
  pairCount: u32,
  // Pairs that there is room for: more of them are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  margin: f32,
  // Seconds of a motion.
  duration: f32,
  // Edge length of the cells that 64-bit positions are counted in; a power of two.
  cellSize: f32,
  // The classes of the list that are due, from the first up to one before the end.
  firstClass: u32,
  endClass: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Each body's shape, then, with HAS_CELLS, its position as fixed-point numbers: a whole cell for each axis, then a
// 2^-29th of a cell for each.
@group(0) @binding(4) var<storage, read> bodies: array<u32>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
// binding 6: results
// Pairs by class, as list-scatter leaves them. Not read where every pair is due.
@group(0) @binding(7) var<storage, read> list: array<u32>;

override HAS_CELLS: bool = false;
override IS_LISTED: bool = false;
// The kinds of shapes of all pairs that are due, or ANY_KIND: known ones fold `support` and all that asks for kinds.
override KIND_A: u32 = 0xffu;
override KIND_B: u32 = 0xffu;

const ANY_KIND: u32 = 0xffu;
const FRACTION_BITS: u32 = 29u;
const NO_PAIR: u32 = 0xffffffffu;

// The pair that this invocation works on, or NO_PAIR.
fn pairIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  let index = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (IS_LISTED) {
    let slot = list[parameters.firstClass] + index;
    if (slot >= list[parameters.endClass]) {
      return NO_PAIR;
    }
    return list[LIST_HEADER + slot];
  }
  return select(NO_PAIR, index, index < min(parameters.pairCount, parameters.pairCapacity));
}
