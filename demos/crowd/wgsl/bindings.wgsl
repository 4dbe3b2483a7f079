// Records and bindings of the kernels of a step. kernels.ts has the list of bindings that each kernel uses.

struct Params {
  gridOrigin: vec2f,
  cell: f32,
  gridWidth: u32,
  gridHeight: u32,
  people: u32,
  leaves: u32,
  bodies: u32,
  entries: u32,
  zones: u32,
  step: u32,
  // Width and height of the plan. People who are not in the plan wait beyond them.
  outsideX: f32,
  outsideY: f32,
}

// Sums over pairs, in fixed point: their bits do not depend on the order of the pairs.
struct Force {
  x: atomic<i32>,
  y: atomic<i32>,
  pushX: atomic<i32>,
  pushY: atomic<i32>,
}

struct Entry {
  position: vec2f,
  angle: f32,
  zone: u32,
  // The people who enter here are first, first + stride, …, all below end. `cursor` is the next to try.
  first: u32,
  end: u32,
  stride: u32,
  cursor: u32,
  // 0: closed; 1: open; 2: open in this step only.
  mode: u32,
  isTaken: atomic<u32>,
  pad: vec2u,
}

struct Totals {
  steps: u32,
  // Checks of a person against all walls so far, and overlaps found.
  checks: u32,
  inWalls: u32,
  arrived: atomic<u32>,
  // In the latest step.
  present: atomic<u32>,
  touching: atomic<u32>,
  moving: atomic<u32>,
  wallPairs: u32,
  nearPairs: u32,
  // Pairs for which the buffers had no room: neighbours not seen, and walls for which everybody stood still.
  nearOverflow: u32,
  wallOverflow: u32,
  invalid: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> poses: array<PlanarPose>;
@group(0) @binding(2) var<storage, read_write> velocities: array<PlanarVelocity>;
@group(0) @binding(3) var<storage, read_write> persons: array<Person>;
@group(0) @binding(4) var<storage, read_write> forces: array<Force>;
@group(0) @binding(5) var<storage, read> field: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> groupsNear: array<u32>;
@group(0) @binding(7) var<storage, read_write> groupsWalls: array<u32>;
@group(0) @binding(8) var<storage, read_write> entries: array<Entry>;
@group(0) @binding(9) var<storage, read_write> totals: Totals;
// Position to which each leaf slides.
@group(0) @binding(10) var<storage, read> leafTargets: array<vec2f>;
// Output of the batch that was encoded last.
@group(0) @binding(11) var<storage, read> contacts: array<PlanarContact>;
@group(0) @binding(12) var<storage, read> counts: Counts;
@group(0) @binding(13) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(14) var<storage, read> impacts: array<PlanarImpact>;
@group(0) @binding(15) var<storage, read> hits: array<u32>;
@group(0) @binding(16) var<storage, read> first: array<u32>;
