// The result of EPA, and the steps that its two forms share: epa.wgsl and compact-epa.wgsl.

import package::shared::pair::{Pair};
import package::shared::support::{support};

// How the search ended.
const EPA_CONVERGED: u32 = 0u;
const EPA_STALLED: u32 = 1u;   // rounding or a limit ended it; the bounds are what they are
const EPA_FULL: u32 = 2u;      // the polytope's capacity ended it

struct EpaResult {
  state: u32,
  iterations: u32,
  // Bounds of the cores' signed distance.
  lower: f32,
  upper: f32,
  // Unit vector from A to B that gave `lower`, in A's frame.
  normal: vec3f,
  // Vertices of the last face by id, the weights of its point nearest to the origin, and the distance of that point,
  // which is an upper bound where the origin is outside.
  idA: vec2u,
  idB: vec2u,
  idC: vec2u,
  weights: vec3f,
  faceDistance: f32,
}

// `height` is the least height of the difference along `normal`. Keeps the best and says whether this is it.
fn keepDirection(normal: vec3f, height: f32, result: ptr<function, EpaResult>) -> bool {
  if (height <= (*result).lower) {
    return false;
  }
  (*result).lower = height;
  (*result).normal = normal;
  return true;
}

// The vertex of B - A farthest along `direction`, by id.
fn supportId(pair: Pair, direction: vec3f) -> vec2u {
  // A's, then B's, in a loop: compilers inline every call.
  var id = vec2u(0u);
  var core = pair.coreA;
  var inBody = -direction;
  for (var side = 0u; side < 2u; side++) {
    id = vec2u(id.y, support(core, inBody));
    core = pair.coreB;
    inBody = direction * pair.rotation;
  }
  return id;
}
