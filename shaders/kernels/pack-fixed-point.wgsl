// Writes 64-bit positions after the bodies' shape ids as fixed-point numbers (parameters.wgsl), in 2-D and 3-D. One
// coordinate per invocation.

import package::exact::fixed-point::{fixedPointOfDouble};

struct PackFixedPointParameters {
  bodyCount: u32,
  // Coordinates of a position.
  axes: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // The edge length of a cell is 2^cellExponent.
  cellExponent: i32,
}

@group(0) @binding(0) var<uniform> parameters: PackFixedPointParameters;
// f64, the low word first.
@group(0) @binding(1) var<storage, read> positions: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> bodyShapes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  let axes = parameters.axes;
  if (index >= axes * parameters.bodyCount) {
    return;
  }
  let number = fixedPointOfDouble(positions[index], parameters.cellExponent);
  // A body's cells come before its fractions.
  let body = index / axes;
  let at = parameters.bodyCount + axes * body + index;
  bodyShapes[at] = number.x;
  bodyShapes[at + axes] = number.y;
}
