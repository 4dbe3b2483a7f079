// What the kernels over pairs of bodies have that find and join their pairs of parts.

struct PartPairParameters {
  pairCount: u32,
  // Capacity in pairs of bodies: pairs beyond it are left out.
  pairCapacity: u32,
  bodyCount: u32,
  // Ids of shapes are below this.
  shapeCount: u32,
  // Capacity in pairs of parts.
  partPairCapacity: u32,
  // The search of a pair of bodies ends once it has found so many pairs of parts, which is above the capacity.
  mostFound: u32,
  // Whether pairs of parts are written. If not, they are counted.
  isWriting: u32,
  // Workgroups in a row of the dispatch grid, where each invocation takes a pair.
  gridWidth: u32,
  // The most levels of two trees together.
  levels: u32,
  margin: f32,
  // Whether each pair of bodies has a bound of its own, in place of a greater margin.
  hasBounds: u32,
  // Seconds of a motion.
  duration: f32,
}

@group(0) @binding(0) var<uniform> parameters: PartPairParameters;
// The number of pairs of parts of each pair of bodies, and then the place of the first one; after the last pair of
// bodies, the number of all.
@group(0) @binding(9) var<storage, read_write> firstParts: array<u32>;

// The place of the first bound, in the buffer with the numbers of pairs of parts. For bodies that move, each pair has a
// sweep there (searched-pair.wgsl) in place of a bound.
const FIRST_BOUND: u32 = 4u;

// The distance of bodies that are farther apart than the margin: the next greater number, so that nobody takes them for
// a hit.
fn beyondMargin() -> f32 {
  return max(bitcast<f32>(bitcast<u32>(parameters.margin) + 1u), 1e-30);
}

fn pairEnd() -> u32 {
  return min(parameters.pairCount, parameters.pairCapacity);
}
