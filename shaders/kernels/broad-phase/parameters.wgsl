// Parameters of the kernels of the broad phase, and positions of bodies, in 2-D and 3-D.

struct BroadPhaseParameters {
  bodyCount: u32,
  // Capacity in bodies: bodies beyond it are left out.
  bodyCapacity: u32,
  shapeCount: u32,
  // Capacity in pairs.
  pairCapacity: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // Buckets of all levels together.
  bucketCount: u32,
  // Blocks of the scan of the pairs' counts.
  blockCount: u32,
  // Whether bodies have groups, and whether some are fixed.
  hasGroups: u32,
  hasFixed: u32,
  // How bodies move: one of MOTION_.
  motion: u32,
  // Whether the search writes pairs, not counts. A flag, so that one compiled kernel finds the same pairs both times.
  isWriting: u32,
  // The bodies to search for, by their places in the grid.
  firstSlot: u32,
  endSlot: u32,
  // Invocations of the dispatch, for kernels whose invocations take several bodies.
  stride: u32,
  // The search does nothing if a body has more tests.
  mostTests: u32,
  margin: f32,
  // Tolerance of the narrow phase's distances, as a share of the pair's size.
  tolerance: f32,
  // Seconds of a motion.
  duration: f32,
  // Edge length of the cells of fixed-point positions; a power of two.
  cellSize: f32,
  // For trees (kernels/tree): the digit of the keys that is sorted by, or the level of the blocks.
  step: u32,
  // For rays (kernels/rays): how many there are, how many there is room for, the first pair of this part, and in a
  // batch the shape of a ray.
  rayCount: u32,
  rayCapacity: u32,
  firstPair: u32,
  rayShape: u32,
  // Whether the rays are those of a batch.
  isOfBatch: u32,
}

const MOTION_NONE: u32 = 0u;
const MOTION_STRAIGHT: u32 = 1u;
const MOTION_TURNING: u32 = 2u;

@group(0) @binding(0) var<uniform> parameters: BroadPhaseParameters;

override HAS_FIXED_POINT: bool = false;
override IS_PLANAR: bool = false;

fn bodyCount() -> u32 {
  return min(parameters.bodyCount, parameters.bodyCapacity);
}

fn invocationIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  return (workgroupId.y * parameters.gridWidth + workgroupId.x) * 256u + localIndex;
}
