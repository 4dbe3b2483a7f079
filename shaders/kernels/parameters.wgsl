// Bindings and constants of every kernel over pairs, in 2-D and 3-D, and the choice of the pair per invocation.

import package::kernels::list::{listedPair, slotsOf};

struct Parameters {
  pairCount: u32,
  // Capacity in pairs: pairs beyond it are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  margin: f32,
  // Seconds of a motion.
  duration: f32,
  // Edge length of the cells of fixed-point positions; a power of two.
  cellSize: f32,
  // The selected classes of the list: firstClass up to, but not including, endClass. If endClass is 0, all pairs.
  firstClass: u32,
  endClass: u32,
  // The word of the list's first pair.
  firstEntry: u32,
  // Of lists 0, 1 and 2 that the kernel appends to (work-lists.wgsl): the words of their counts, 0 for none, and of
  // their first pairs.
  countWord0: u32,
  countWord1: u32,
  countWord2: u32,
  firstEntry0: u32,
  firstEntry1: u32,
  firstEntry2: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Shape indices of all bodies. With HAS_FIXED_POINT the positions of all bodies follow as fixed-point numbers: per body
// a whole number of cells for each axis, then a number of 2^-FRACTION_BITS of a cell for each axis.
@group(0) @binding(4) var<storage, read> bodyShapes: array<u32>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
// binding 6: records
// binding 7: the list (list.wgsl), or all work lists (work-lists.wgsl)

override HAS_FIXED_POINT: bool = false;
override IS_LISTED: bool = false;
// The kinds of the two shapes of every selected pair, or ANY_KIND. With known kinds, compilers fold `support` and all
// other branches on kinds.
override KIND_A: u32 = 0xffu;
override KIND_B: u32 = 0xffu;

const ANY_KIND: u32 = 0xffu;
const NO_PAIR: u32 = 0xffffffffu;

// Whether the kernel runs over all pairs. One that was compiled for lists does so for a query that needs no list.
fn takesAllPairs() -> bool {
  return !IS_LISTED || parameters.endClass == 0u;
}

// The pair that this invocation works on, or NO_PAIR. All invocations of the workgroup call it.
fn pairIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  if (takesAllPairs()) {
    return unlistedPair(workgroupId, localIndex);
  }
  let slots = slotsOf(parameters.firstClass, parameters.endClass, localIndex);
  let slot = slots.x + invocationIndex(workgroupId, localIndex);
  if (slot >= slots.y) {
    return NO_PAIR;
  }
  return pairInSlot(slot);
}

// The same in a kernel that runs over all pairs.
fn unlistedPair(workgroupId: vec3u, localIndex: u32) -> u32 {
  let index = invocationIndex(workgroupId, localIndex);
  return select(NO_PAIR, index, index < min(parameters.pairCount, parameters.pairCapacity));
}

fn invocationIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  return (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
}

// The slots that an invocation of a strided kernel takes, whose invocations share the selected pairs: from `first`, by
// `step`, up to but not including `end`. However few invocations there are, they take all pairs. Kernels with large
// private arrays are strided, as the arrays of every invocation are cleared, even if it has no pair; so are kernels
// over lists that are often short, as a software adapter gives each of its threads a contiguous part of the grid.
// Kernels with two entry points are strided on graphics cards only: `strided` is for these, `main` for software
// adapters (`stridesAll` in src/gpu/adapter-class.ts).
struct Stride {
  first: u32,
  end: u32,
  step: u32,
}

// `id` is the invocation's in a row of workgroups, all of whose invocations call it.
fn strideOf(id: vec3u, workgroups: vec3u) -> Stride {
  let step = 64u * workgroups.x;
  if (takesAllPairs()) {
    return Stride(id.x, min(parameters.pairCount, parameters.pairCapacity), step);
  }
  let slots = slotsOf(parameters.firstClass, parameters.endClass, id.x % 64u);
  return Stride(slots.x + id.x, slots.y, step);
}

fn pairInSlot(slot: u32) -> u32 {
  if (takesAllPairs()) {
    return slot;
  }
  return listedPair(parameters.firstEntry + slot);
}
