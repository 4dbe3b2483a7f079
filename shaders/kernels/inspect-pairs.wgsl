// Finds pairs with an index out of range, and the kinds of the shapes of all other pairs, in 2-D and 3-D. Each
// workgroup inspects a block of pairs.

import package::kernels::report::{reportKinds, flag, REPORT_PAIR};
import package::shared::constants::{BLOCK_SIZE, KIND_COUNT};

struct InspectPairsParameters {
  // The number of the first pair among the caller's.
  firstPair: u32,
  pairCount: u32,
  bodyCount: u32,
  // Ids of shapes are below this.
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // Words in the record of a shape, and which of them holds the kind, in its low eight bits.
  shapeWords: u32,
  kindWord: u32,
}

@group(0) @binding(0) var<uniform> parameters: InspectPairsParameters;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(2) var<storage, read> bodyShapes: array<u32>;
@group(0) @binding(3) var<storage, read> shapeRecords: array<u32>;

const NO_KINDS: u32 = 0xffffffffu;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = (workgroupId.y * parameters.gridWidth + workgroupId.x) * BLOCK_SIZE;
  // The kinds of the pair before. Most scenes have few kinds, so most pairs repeat them.
  var reported = NO_KINDS;
  for (var index = first + localIndex; index < min(first + BLOCK_SIZE, parameters.pairCount); index += 256u) {
    let numbers = pairs[index];
    if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
      flag(REPORT_PAIR, parameters.firstPair + index);
      continue;
    }
    let kinds = vec2u(kindOfBody(numbers.x), kindOfBody(numbers.y));
    let both = kinds.x * KIND_COUNT + kinds.y;
    if (both != reported && max(kinds.x, kinds.y) < KIND_COUNT) {
      reportKinds(kinds.x, kinds.y);
      reported = both;
    }
  }
}

// KIND_COUNT or more if the body has no shape.
fn kindOfBody(body: u32) -> u32 {
  let shape = bodyShapes[body];
  if (shape >= parameters.shapeCount) {
    return KIND_COUNT;
  }
  return shapeRecords[shape * parameters.shapeWords + parameters.kindWord] & 0xffu;
}
