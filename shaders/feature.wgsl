// Which vertex, edge or face of a shape lies in the contact plane: kind << 30 | index.
//
// It is read off the shape and the normal, not off the last simplex, so it does not change from frame to frame with the
// path of the search. docs/conventions.md, "Feature numbers", has the indices of every shape. Vertices of a box are
// numbered as support.wgsl draws them; edges and faces of a hull as the hull builder lists them (`shapeGeometry`).

import package::shared::constants::{CURVED_FEATURE_ULPS, FEATURE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::geometry::{geometryVector, geometryIndex, geometryEdge};
import package::shared::results::{FEATURE_VERTEX, FEATURE_EDGE, FEATURE_FACE};
import package::shared::shapes::{
  Shape, Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_CYLINDER, CORE_CONE, CORE_HALFSPACE
};
import package::shared::support::{isCurved};
import package::shared::support-of-polytope::{supportOfPolytope};

// The feature of the core farthest along `direction`, a unit vector in the body's frame.
fn feature(shape: Shape, core: Core, direction: vec3f) -> u32 {
  switch (core.kind) {
    case CORE_POINT: {
      return FEATURE_VERTEX;
    }
    case CORE_SEGMENT: {
      if (abs(direction.y) * 2.0 * core.halfExtents.y <= FEATURE_ULPS * EPSILON) {
        return FEATURE_EDGE;
      }
      return FEATURE_VERTEX | select(0u, 1u, direction.y > 0.0);
    }
    case CORE_BOX: {
      return boxFeature(core, direction);
    }
    case CORE_HALFSPACE: {
      return FEATURE_FACE;
    }
    default: {
      if (isCurved(core)) {
        return curvedFeature(core, direction);
      }
      return hullFeature(shape, core, direction);
    }
  }
}

fn curvedFeature(core: Core, direction: vec3f) -> u32 {
  let slack = CURVED_FEATURE_ULPS * EPSILON;
  let isUp = direction.y > 0.0;
  // How much farther the circle reaches than its centre, and the upper end than the lower one.
  let across = core.halfExtents.x * length(direction.xz);
  let along = 2.0 * core.halfExtents.y * direction.y;
  if (core.kind == CORE_CYLINDER) {
    if (2.0 * across <= slack) {
      return FEATURE_FACE | select(0u, 1u, isUp);
    }
    return select(FEATURE_EDGE | select(0u, 1u, isUp), FEATURE_FACE | 2u, abs(along) <= slack);
  }
  if (core.kind == CORE_CONE) {
    if (2.0 * across <= slack && !isUp) {
      return FEATURE_FACE;
    }
    if (abs(along - across) <= slack && across > slack) {
      return FEATURE_FACE | 1u;
    }
    return select(FEATURE_EDGE, FEATURE_VERTEX, along > across);
  }
  return FEATURE_FACE;
}

// Axes along which both ends of the box are equally far are free: none leaves a vertex, one an edge, two a face.
fn boxFeature(core: Core, direction: vec3f) -> u32 {
  let slope = abs(direction);
  var steepest = 0u;
  if (slope.y > slope.x && slope.y >= slope.z) {
    steepest = 1u;
  } else if (slope.z > slope.x) {
    steepest = 2u;
  }
  let positive = direction >= vec3f(0.0);
  let isFree = (slope * 2.0 * core.halfExtents <= vec3f(FEATURE_ULPS * EPSILON)) &
      (vec3u(0u, 1u, 2u) != vec3u(steepest));
  let bits = select(vec3u(0u), vec3u(1u), positive);
  let freeCount = dot(select(vec3u(0u), vec3u(1u), isFree), vec3u(1u));
  if (freeCount == 0u) {
    return FEATURE_VERTEX | dot(bits, vec3u(1u, 2u, 4u));
  }
  if (freeCount == 2u) {
    return FEATURE_FACE | (2u * steepest +
        dot(bits, select(vec3u(0u), vec3u(1u), vec3u(0u, 1u, 2u) == vec3u(steepest))));
  }
  if (isFree.x) {
    return FEATURE_EDGE | (bits.y + 2u * bits.z);
  }
  if (isFree.y) {
    return FEATURE_EDGE | (4u + bits.z + 2u * bits.x);
  }
  return FEATURE_EDGE | (8u + bits.x + 2u * bits.y);
}

fn hullFeature(shape: Shape, core: Core, direction: vec3f) -> u32 {
  let top = dot(geometryVector(core.firstRow + supportOfPolytope(core, direction).number), direction) * core.scale;
  // The first and the last vertex in the contact plane, and how many there are.
  var count = 0u;
  var first = 0u;
  var last = 0u;
  for (var i = 0u; i < core.vertexCount; i++) {
    if (dot(geometryVector(core.firstRow + i), direction) * core.scale >= top - FEATURE_ULPS * EPSILON) {
      first = select(first, i, count == 0u);
      last = i;
      count += 1u;
    }
  }
  if (count == 2u) {
    let firstEdge = core.firstRow + core.vertexCount;
    // The first edge that does not come before the one wanted, if there are edges: they are sorted.
    var edge = 0u;
    for (var end = shape.edgeCount; edge < end;) {
      let middle = (edge + end) / 2u;
      let ends = geometryEdge(firstEdge + middle);
      if (ends.x < first || (ends.x == first && ends.y < last)) {
        edge = middle + 1u;
      } else {
        end = middle;
      }
    }
    if (edge < shape.edgeCount && all(geometryEdge(firstEdge + edge) == vec2u(first, last))) {
      return FEATURE_EDGE | edge;
    }
  }
  if (count == 1u || shape.faceCount == 0u) {
    return FEATURE_VERTEX | geometryIndex(core.firstRow + first);
  }
  let firstFace = core.firstRow + core.vertexCount + shape.edgeCount;
  var face = 0u;
  var alignment = -2.0;
  for (var f = 0u; f < shape.faceCount; f++) {
    let cosine = dot(geometryVector(firstFace + f), direction);
    if (cosine > alignment) {
      alignment = cosine;
      face = f;
    }
  }
  return FEATURE_FACE | face;
}
