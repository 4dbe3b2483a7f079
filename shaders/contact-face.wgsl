// The part of a shape's surface that faces along a direction: what a manifold's points lie on.
//
//   polytope the face most aligned with the direction; of a hull of two vertices their line, of one a point; of a
//   rounded one
//              that leans on an edge, the line of the surface above that
//   segment    the line of the surface above it
//   cylinder   a cap, as the octagon of eight points of its rim that are fixed in the body; or the line on its side
//   cone       the base, likewise; or the line from the rim to the apex
//   point, ellipsoid    the point of the surface
//   half-space          the plane
//
// A rounded shape's face is its core's face moved by the radius along the face's own normal, a line one moved along the
// part of the direction that is perpendicular to it: all of them lie on the surface itself, whatever the direction. So
// does the peak, the surface's farthest point along the direction, which may not be on the face.
//
// Everything is in the coordinates u, v, h of a frame of the pair's own, in which h runs along the contact normal.

import package::shared::constants::{MANIFOLD_EDGE_COSINE, MANIFOLD_LEAST_COSINE};
import package::shared::geometry::{geometryVector, geometryIndex, geometryLoop};
import package::shared::shapes::{
  Shape, Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_HULL, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID, CORE_HALFSPACE
};
import package::shared::support::{support, vertex};

struct ContactFace {
  // Number of vertices: 0 of an unbounded plane, 1 of a point, 2 of a line.
  count: u32,
  kind: u32,
  // 1 where the normal points along h, -1 where it points against it.
  side: f32,
  // Whether others can be clipped against it.
  isArea: bool,
  // Cosine between its normal and the direction.
  cosine: f32,
  // How fast its plane rises along u and v.
  slope: vec2f,
  // A point of its plane.
  anchor: vec3f,
  // Vertex i is origin + columns * x, where x is the hull's vertex or what `corner` gives.
  origin: vec3f,
  columns: mat3x3f,
  // Of a hull: rows of its vertices and loops, and where in the loops the face's vertices are.
  firstRow: u32,
  firstLoopRow: u32,
  loopStart: u32,
  // Of others but lines: the number of its first vertex; of a box the face's, 2 axis + positive.
  number: u32,
  // Of a line: the numbers of its ends.
  ends: vec2u,
  // The surface's farthest point, where that is not sure to be a vertex of the face, and its number.
  hasPeak: bool,
  peak: vec3f,
  peakNumber: u32,
  // The peak is not the vertex of this number, but lies on its ball.
  isRounded: bool,
  // Of a line: the middle of the core's line, which the surface bends around with this radius, and whether balls are at
  // its ends.
  middle: vec3f,
  bend: f32,
  isCapped: bool,
}

// In the pair's unit: the square of less is no longer a sure number in f32.
const LEAST_WIDTH: f32 = 1e-9;
const DIAGONAL: f32 = 0.70710678;

// Numbers of a cylinder's and a cone's vertices: 0 to 7 and 8 to 15 around the caps at +y and -y, then the ends of the
// line on the side, which are the farthest points of rims while the side faces along the direction, and the farthest
// points of rims while a cap does.
const SIDE_LINE: u32 = 16u;
const RIM_PEAK: u32 = 18u;

// `direction` is a unit vector in the body's frame. `rotation` takes vectors from there to u, v, h; `offset` is the
// body's origin there.
fn contactFace(shape: Shape, core: Core, radius: f32, direction: vec3f, side: f32, rotation: mat3x3f, offset: vec3f) -> ContactFace {
  var face: ContactFace;
  face.kind = core.kind;
  face.side = side;
  // Of everything but hulls: middle and half axes.
  var origin = vec3f(0.0);
  var p = vec3f(0.0);
  var q = vec3f(0.0);
  var normal = direction;
  var middle = vec3f(0.0);
  var peak = vec3f(0.0);
  let half = core.halfExtents;
  var top = 0u;
  // A hull's face without a width.
  var isLine = false;
  if (core.kind <= CORE_HULL) {
    top = support(core, direction);
    peak = vertex(core, top) + direction * radius;
    face.peakNumber = top;
    face.isRounded = radius > 0.0;
  }
  switch (core.kind) {
    case CORE_POINT: {
      face.count = 1u;
      origin = direction * radius;
    }
    case CORE_ELLIPSOID: {
      face.count = 1u;
      let along = half * direction;
      origin = half * along / max(length(along), 1e-30);
    }
    case CORE_SEGMENT: {
      face.count = 2u;
      p = vec3f(0.0, half.y, 0.0);
      face.ends = vec2u(0u, 1u);
      normal = across(direction, vec3f(0.0, 1.0, 0.0));
      face.hasPeak = true;
    }
    case CORE_BOX: {
      face.count = 4u;
      let slope = abs(direction);
      var axis = 0u;
      if (slope.y > slope.x && slope.y >= slope.z) {
        axis = 1u;
      } else if (slope.z > slope.x) {
        axis = 2u;
      }
      let unit = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(axis));
      let isPositive = dot(direction, unit) >= 0.0;
      normal = select(-unit, unit, isPositive);
      origin = normal * (dot(half, unit) + radius);
      // x, y, z after each other: p x q is along the axis.
      p = select(-unit.zxy, unit.zxy, isPositive) * half;
      q = unit.yzx * half;
      face.number = 2u * axis + select(0u, 1u, isPositive);
      // A sharp box's peak is a vertex of the face.
      face.hasPeak = radius > 0.0;
      if (radius > 0.0 && dot(direction, normal) < MANIFOLD_EDGE_COSINE) {
        // The edge along the axis that the direction is least along.
        let least = min(slope.x, min(slope.y, slope.z));
        let edgeAxis = select(select(0u, 1u, slope.y == least), 2u, slope.z == least);
        let edge = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(edgeAxis));
        middle = vertex(core, top) * (1.0 - edge);
        p = half * edge;
        q = vec3f(0.0);
        normal = across(direction, edge);
        face.count = 2u;
        face.ends = vec2u(top & ~(1u << edgeAxis), top | (1u << edgeAxis));
      }
    }
    case CORE_CYLINDER: {
      let radial = radialOf(direction);
      face.hasPeak = true;
      let isUp = direction.y >= 0.0;
      let height = select(-half.y, half.y, isUp);
      if (abs(direction.y) >= length(direction.xz)) {
        face.count = 8u;
        normal = vec3f(0.0, select(-1.0, 1.0, isUp), 0.0);
        origin = vec3f(0.0, height, 0.0) + normal * radius;
        p = half.x * select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), isUp);
        q = p.zyx;
        face.number = select(8u, 0u, isUp);
      } else {
        face.count = 2u;
        normal = radial;
        origin = radial * (half.x + radius);
        p = vec3f(0.0, half.y, 0.0);
        face.ends = vec2u(SIDE_LINE, SIDE_LINE + 1u);
        face.bend = half.x + radius;
      }
      // An end of the line is the farthest point of the rim there.
      face.peakNumber = select(RIM_PEAK + select(1u, 0u, isUp), SIDE_LINE + select(0u, 1u, isUp), face.count == 2u);
      peak = radial * half.x + vec3f(0.0, height, 0.0) + direction * radius;
    }
    case CORE_CONE: {
      let radial = radialOf(direction);
      face.hasPeak = true;
      // Out of the side, along the radius.
      let slant = normalize(vec3f(2.0 * half.y, half.x, 0.0) + vec3f(1e-30, 0.0, 0.0));
      let flank = vec3f(radial.x * slant.x, slant.y, radial.z * slant.x);
      let rim = radial * half.x - vec3f(0.0, half.y, 0.0);
      let apex = vec3f(0.0, half.y, 0.0);
      if (-direction.y >= dot(direction, flank)) {
        face.count = 8u;
        normal = vec3f(0.0, -1.0, 0.0);
        origin = vec3f(0.0, -half.y - radius, 0.0);
        p = vec3f(half.x, 0.0, 0.0);
        q = vec3f(0.0, 0.0, half.x);
        face.number = 8u;
      } else {
        face.count = 2u;
        normal = flank;
        middle = 0.5 * (rim + apex);
        origin = middle + flank * radius;
        p = 0.5 * (apex - rim);
        face.ends = vec2u(SIDE_LINE, SIDE_LINE + 1u);
        face.bend = radius;
      }
      let isApex = dot(direction, apex - rim) >= 0.0;
      face.peakNumber = select(RIM_PEAK, SIDE_LINE + select(0u, 1u, isApex), face.count == 2u);
      peak = select(rim, apex, isApex) + direction * radius;
    }
    case CORE_HALFSPACE: {
      // Of the normal any length: the body's scale is in it.
      normal = normalize(half);
      origin = normal * radius;
    }
    default: {
      face.firstRow = core.firstRow;
      face.firstLoopRow = core.firstRow + core.vertexCount + shape.edgeCount + shape.faceCount;
      face.hasPeak = true;
      face.peakNumber = geometryIndex(core.firstRow + top);
      // The face's vertices, or the two ends of a line.
      var line = vec2u(0u, core.vertexCount - 1u);
      face.count = core.vertexCount;
      face.number = face.peakNumber;
      if (shape.faceCount > 0u) {
        let firstFace = face.firstLoopRow - shape.faceCount;
        var best = firstFace;
        var alignment = -2.0;
        for (var row = firstFace; row < face.firstLoopRow; row++) {
          let cosine = dot(geometryVector(row), direction);
          if (cosine > alignment) {
            alignment = cosine;
            best = row;
          }
        }
        normal = geometryVector(best);
        let start = geometryIndex(best);
        face.count = geometryLoop(face.firstLoopRow, start);
        face.loopStart = start + 1u;
        isLine = face.count == 2u;
        if (isLine) {
          line = vec2u(geometryLoop(face.firstLoopRow, start + 1u), geometryLoop(face.firstLoopRow, start + 2u));
          face.loopStart = 0u;
        } else if (radius > 0.0 && alignment < MANIFOLD_EDGE_COSINE) {
          line = leaningEdge(face, normal, direction);
          face.count = 2u;
          face.loopStart = 0u;
        }
      }
      if (face.loopStart == 0u) {
        let first = vertex(core, line.x);
        let last = vertex(core, line.y);
        middle = 0.5 * (first + last);
        p = 0.5 * (last - first);
        if (face.count == 2u) {
          normal = across(direction, p);
        }
        face.ends = vec2u(geometryIndex(core.firstRow + line.x), geometryIndex(core.firstRow + line.y));
      }
      origin = middle + normal * radius;
    }
  }
  if (face.count == 2u && core.kind <= CORE_HULL) {
    origin = middle + normal * radius;
    // What is all line has the ball all around; of an edge's surface only the line itself is sure to be there.
    face.isCapped = core.kind == CORE_SEGMENT ||
      (core.kind > CORE_BOX && (shape.faceCount == 0u || (isLine && shape.faceCount == 2u)));
    face.bend = select(0.0, radius, face.isCapped);
    middle = select(origin, middle, face.isCapped);
  }
  face.columns = mat3x3f(rotation * p, rotation * q, vec3f(0.0));
  if (face.loopStart > 0u) {
    face.columns = mat3x3f(rotation[0] * core.scale, rotation[1] * core.scale, rotation[2] * core.scale);
  }
  face.origin = rotation * origin + offset;
  face.peak = rotation * peak + offset;
  face.middle = rotation * middle + offset;
  let turned = rotation * normal;
  face.cosine = turned.z * side;
  // Boxes and discs may be flat: nothing lies over a line.
  let isFlat = face.loopStart == 0u && face.count > 2u && min(dot(p, p), dot(q, q)) < LEAST_WIDTH * LEAST_WIDTH;
  face.isArea = (face.count >= 3u || face.count == 0u) && face.cosine >= MANIFOLD_LEAST_COSINE && !isFlat;
  if (face.isArea) {
    face.slope = -turned.xy / turned.z;
  }
  face.anchor = face.origin;
  if (face.loopStart > 0u) {
    face.anchor = faceVertex(face, 0u);
  }
  return face;
}

// Of the edges of a hull's face that the direction leans out over, the one most nearly perpendicular to it: the numbers
// of its ends. As no face is more aligned than this one, the direction lies between it and the next across that edge:
// the rounded edge faces it.
fn leaningEdge(face: ContactFace, normal: vec3f, direction: vec3f) -> vec2u {
  var found = vec2u(0u);
  var least = 2.0;
  var number = geometryLoop(face.firstLoopRow, face.loopStart + face.count - 1u);
  var start = geometryVector(face.firstRow + number);
  for (var i = 0u; i < face.count; i++) {
    let next = geometryLoop(face.firstLoopRow, face.loopStart + i);
    let end = geometryVector(face.firstRow + next);
    let edge = normalize(end - start);
    let cosine = abs(dot(direction, edge));
    if (dot(direction, cross(normal, edge)) < 0.0 && cosine < least) {
      least = cosine;
      found = vec2u(number, next);
    }
    number = next;
    start = end;
  }
  return found;
}

// The unit vector along the part of the unit vector `direction` that is perpendicular to `axis`.
fn across(direction: vec3f, axis: vec3f) -> vec3f {
  let part = direction - axis * (dot(direction, axis) / max(dot(axis, axis), 1e-30));
  let size = length(part);
  if (size < 1e-6) {
    return direction;
  }
  return part / size;
}

// The unit vector away from the y axis.
fn radialOf(direction: vec3f) -> vec3f {
  let size = length(direction.xz);
  return select(vec3f(1.0, 0.0, 0.0), vec3f(direction.x, 0.0, direction.z) / max(size, 1e-30), size > 1e-20);
}

// Vertices go around counter-clockwise, seen from outside.
fn faceVertex(face: ContactFace, i: u32) -> vec3f {
  if (face.loopStart > 0u) {
    let number = geometryLoop(face.firstLoopRow, face.loopStart + i);
    return face.origin + face.columns * geometryVector(face.firstRow + number);
  }
  let at = corner(face.count, i);
  return face.origin + face.columns[0] * at.x + face.columns[1] * at.y;
}

// Where an edge starts, and which way it goes: from the difference of the vertices in the body's frame, so that
// of a short edge, too, the direction is known.
struct FaceEdge {
  start: vec2f,
  along: vec2f,
}

fn faceEdge(face: ContactFace, from_: u32, to: u32) -> FaceEdge {
  let columns = mat3x2f(face.columns[0].xy, face.columns[1].xy, face.columns[2].xy);
  if (face.loopStart > 0u) {
    let start = geometryVector(face.firstRow + geometryLoop(face.firstLoopRow, face.loopStart + from_));
    let end = geometryVector(face.firstRow + geometryLoop(face.firstLoopRow, face.loopStart + to));
    return FaceEdge(face.origin.xy + columns * start, columns * (end - start));
  }
  let start = corner(face.count, from_);
  let along = corner(face.count, to) - start;
  return FaceEdge(
    face.origin.xy + columns[0] * start.x + columns[1] * start.y, columns[0] * along.x + columns[1] * along.y
  );
}

// Of a point, a line, a parallelogram, an octagon in a circle.
fn corner(count: u32, i: u32) -> vec2f {
  if (count == 1u) {
    return vec2f(0.0);
  }
  if (count == 2u) {
    return vec2f(select(-1.0, 1.0, i == 1u), 0.0);
  }
  if (count == 4u) {
    return vec2f(select(-1.0, 1.0, i == 1u || i == 2u), select(-1.0, 1.0, i >= 2u));
  }
  let part = select(1.0, DIAGONAL, (i & 1u) == 1u);
  let x = select(select(-part, part, i < 2u || i == 7u), 0.0, (i & 3u) == 2u);
  let y = select(select(-part, part, i < 4u), 0.0, (i & 3u) == 0u);
  return vec2f(x, y);
}

// The number that a vertex of the face has in the shape, whichever face it is seen as part of; `face.count` is the
// peak's.
fn faceVertexNumber(face: ContactFace, i: u32) -> u32 {
  if (i >= face.count) {
    return face.peakNumber;
  }
  if (face.count == 2u) {
    return select(face.ends.x, face.ends.y, i == 1u);
  }
  if (face.loopStart > 0u) {
    return geometryIndex(face.firstRow + geometryLoop(face.firstLoopRow, face.loopStart + i));
  }
  if (face.kind == CORE_BOX) {
    let isPositive = (face.number & 1u) == 1u;
    let axis = face.number >> 1u;
    let at = corner(4u, i);
    let bits = vec3u(select(0u, 1u, isPositive), select(0u, 1u, (at.x > 0.0) == isPositive), select(0u, 1u, at.y > 0.0));
    return (bits.x << axis) | (bits.y << ((axis + 1u) % 3u)) | (bits.z << ((axis + 2u) % 3u));
  }
  return face.number + i;
}
