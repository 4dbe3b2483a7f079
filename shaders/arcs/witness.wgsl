// Witness points of a depth by Gauss maps: points of both bodies that are opposite each other along the normal. The
// vertices that are level with the supports, of a body's corner, edge or face, have a convex hull in the plane across
// the normal. GJK in that plane finds a point that both hulls have in common.

import package::shared::adapter::{bodiesOf};
import package::shared::constants::{ARC_LEVEL_STEPS, ARC_LEVEL_ULPS, ARC_MISS_ULPS, ARC_TIE_ULPS};
import package::shared::math::{EPSILON, perpendicular};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core};
import package::shared::support::{vertexCountOf};
import package::shared::support-of-polytope::{vertexOfPolytope};

struct ArcsWitness {
  // Whether there are points of the cores that are opposite each other along the normal.
  hasPoints: bool,
  // In A's frame.
  onA: vec3f,
  onB: vec3f,
}

// The vertices of a core that are at least `least` high along `outward`, in its body's frame.
struct LevelVertices {
  core: Core,
  outward: vec3f,
  least: f32,
  // The remainders of their numbers, divided by 32: a bit for each.
  remainders: u32,
  mean: vec3f,
  isEmpty: bool,
}

fn levelVertices(core: Core, outward: vec3f, least: f32) -> LevelVertices {
  var remainders = 0u;
  var sum = vec4f(0.0);
  let count = vertexCountOf(core);
  for (var i = 0u; i < count; i++) {
    let point = vertexOfPolytope(core, i);
    let isLevel = dot(outward, point) >= least;
    remainders |= select(0u, 1u << (i & 31u), isLevel);
    sum += select(vec4f(0.0), vec4f(point, 1.0), isLevel);
  }
  return LevelVertices(core, outward, least, remainders, sum.xyz / max(sum.w, 1.0), sum.w == 0.0);
}

// The level vertex farthest along `direction`.
fn farthestOf(level: LevelVertices, direction: vec3f) -> vec3f {
  let count = vertexCountOf(level.core);
  var farthest = vec3f(0.0);
  var height = -1e30;
  var left = level.remainders;
  var i = firstTrailingBit(left);
  while (left != 0u) {
    let point = vertexOfPolytope(level.core, i);
    let along = dot(direction, point);
    let isFarther = along > height && dot(level.outward, point) >= level.least;
    height = select(height, along, isFarther);
    farthest = select(farthest, point, isFarther);
    i += 32u;
    if (i >= count) {
      left &= left - 1u;
      i = firstTrailingBit(left);
    }
  }
  return farthest;
}

// A point of each body, in A's frame, and their difference B - A in the plane.
struct LevelPoint {
  onA: vec3f,
  onB: vec3f,
  across: vec2f,
}

fn levelPoint(onA: vec3f, onB: vec3f, x: vec3f, y: vec3f) -> LevelPoint {
  return LevelPoint(onA, onB, vec2f(dot(x, onB - onA), dot(y, onB - onA)));
}

// `lower` is the least height of B - A along the unit vector `normal`, `top` the greatest height of A.
fn arcsWitness(pair: Pair, normal: vec3f, lower: f32, top: f32) -> ArcsWitness {
  let slack = ARC_LEVEL_ULPS * EPSILON;
  // In loops: compilers inline every call.
  let bodies = bodiesOf(pair);
  var levelA: LevelVertices;
  var levelB: LevelVertices;
  var core = pair.coreA;
  var outward = normal;
  var least = top - slack;
  for (var side = 0u; side < bodies; side++) {
    levelA = levelB;
    levelB = levelVertices(core, outward, least);
    core = pair.coreB;
    outward = -(normal * pair.rotation);
    least = dot(normal, pair.translation) - lower - top - slack;
  }
  let x = perpendicular(normal);
  let y = cross(normal, x);
  // The nearest point is on the edge between these two.
  var a = levelPoint(levelA.mean, pair.rotation * levelB.mean + pair.translation, x, y);
  var b = a;
  var nearest = a.across;
  var witness = ArcsWitness(length(nearest) <= ARC_MISS_ULPS * EPSILON, a.onA, a.onB);
  if (levelA.isEmpty || levelB.isEmpty) {
    witness.hasPoints = false;
    return witness;
  }
  for (var step = 0u; step < ARC_LEVEL_STEPS && !witness.hasPoints; step++) {
    let direction = x * nearest.x + y * nearest.y;
    var onA = vec3f(0.0);
    var onB = vec3f(0.0);
    var level = levelA;
    var along = direction;
    for (var side = 0u; side < bodies; side++) {
      onA = onB;
      onB = farthestOf(level, along);
      level = levelB;
      along = -(direction * pair.rotation);
    }
    let c = levelPoint(onA, pair.rotation * onB + pair.translation, x, y);
    if (dot(nearest, nearest - c.across) <= ARC_TIE_ULPS * EPSILON * length(nearest)) {
      break;
    }
    let across = mat3x2f(a.across, b.across, c.across);
    let toA = weightOf(a.across, c.across);
    let toB = weightOf(b.across, c.across);
    let ofA = vec3f(toA, 0.0, 1.0 - toA);
    let ofB = vec3f(0.0, toB, 1.0 - toB);
    let isOfA = length(across * ofA) <= length(across * ofB);
    var weights = select(ofB, ofA, isOfA);
    nearest = across * weights;
    // If the origin is in the triangle, these weights make it zero, unless the triangle is too flat for them.
    let areas = vec3f(
      determinant(mat2x2f(b.across, c.across)), determinant(mat2x2f(c.across, a.across)),
      determinant(mat2x2f(a.across, b.across))
    );
    let sum = areas.x + areas.y + areas.z;
    let isInside = sum != 0.0 && all(areas * sign(sum) >= vec3f(0.0));
    if (isInside && length(across * areas) <= ARC_MISS_ULPS * EPSILON * abs(sum)) {
      weights = areas / sum;
      nearest = across * weights;
    }
    witness = ArcsWitness(
      length(nearest) <= ARC_MISS_ULPS * EPSILON, mat3x3f(a.onA, b.onA, c.onA) * weights,
      mat3x3f(a.onB, b.onB, c.onB) * weights
    );
    if (isOfA) {
      b = c;
    } else {
      a = c;
    }
  }
  return witness;
}

// The weight of `older` in the point nearest to the origin on the edge to `newest`.
fn weightOf(older: vec2f, newest: vec2f) -> f32 {
  let edge = newest - older;
  return clamp(dot(newest, edge) / max(dot(edge, edge), 1e-30), 0.0, 1.0);
}
