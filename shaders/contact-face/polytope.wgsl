// Contact faces of boxes, triangles and hulls: the face most aligned with the direction, moved by the radius along its
// own normal. If a rounded shape leans on an edge, the contact face is the line of the surface above that edge. A hull
// of two vertices is a line, a hull of one vertex a point.

import package::shared::constants::{MANIFOLD_EDGE_COSINE};
import package::shared::geometry::{geometryVector, geometryIndex, geometryLoop, geometryNeighbour, geometryRow};
import package::shared::shapes::{Core, Shape};
import package::shared::support-of-polytope::{vertexOfPolytope};
import package::contact-face::face::{ContactFace};
import package::contact-face::segment::{across, roundLine};

// `top` is the number of the core's support along the direction.
fn boxFace(core: Core, radius: f32, direction: vec3f, top: u32) -> ContactFace {
  let half = core.halfExtents;
  let slope = abs(direction);
  var axis = 0u;
  if (slope.y > slope.x && slope.y >= slope.z) {
    axis = 1u;
  } else if (slope.z > slope.x) {
    axis = 2u;
  }
  let unit = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(axis));
  let isPositive = dot(direction, unit) >= 0.0;
  var face: ContactFace;
  face.count = 4u;
  face.normal = select(-unit, unit, isPositive);
  face.origin = face.normal * (dot(half, unit) + radius);
  // In the order x, y, z, x: p x q points along the normal.
  face.columns[0] = select(-unit.zxy, unit.zxy, isPositive) * half;
  face.columns[1] = unit.yzx * half;
  face.number = 2u * axis + select(0u, 1u, isPositive);
  // A sharp box's peak is a vertex of the face.
  face.hasPeak = radius > 0.0;
  face.peakNumber = top;
  if (radius > 0.0 && dot(direction, face.normal) < MANIFOLD_EDGE_COSINE) {
    // The edge along the axis of the direction's least component.
    let least = min(slope.x, min(slope.y, slope.z));
    let edgeAxis = select(select(0u, 1u, slope.y == least), 2u, slope.z == least);
    let edge = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(edgeAxis));
    face.count = 2u;
    face.normal = across(direction, edge);
    face.middle = vertexOfPolytope(core, top) * (1.0 - edge);
    face.columns[0] = half * edge;
    face.columns[1] = vec3f(0.0);
    face.ends = vec2u(top & ~(1u << edgeAxis), top | (1u << edgeAxis));
    let flank = (vec3f(1.0) - unit - edge) * select(vec3f(-1.0), vec3f(1.0), direction >= vec3f(0.0));
    face.flanks = mat2x3f(select(-unit, unit, isPositive), flank);
    roundLine(&face, radius, false);
  }
  return face;
}

// `top` is the number of the core's support along the direction.
fn hullFace(shape: Shape, core: Core, radius: f32, direction: vec3f, top: u32) -> ContactFace {
  var face: ContactFace;
  face.normal = direction;
  face.firstRow = core.firstRow;
  face.firstFaceRow = core.firstRow + core.vertexCount + shape.edgeCount;
  face.firstLoopRow = face.firstFaceRow + shape.faceCount;
  face.hasPeak = true;
  face.peakNumber = geometryIndex(core.firstRow + top);
  face.number = face.peakNumber;
  face.count = core.vertexCount;
  // The two ends, if the face is a line.
  var line = vec2u(0u, core.vertexCount - 1u);
  // Whether the whole shape is a line.
  var isLine = shape.faceCount == 0u;
  if (shape.faceCount > 0u) {
    var best = vec4u(0u);
    var alignment = -2.0;
    for (var row = face.firstFaceRow; row < face.firstLoopRow; row++) {
      let plane = geometryRow(row);
      let cosine = dot(bitcast<vec3f>(plane.xyz), direction);
      if (cosine > alignment) {
        alignment = cosine;
        best = plane;
      }
    }
    face.normal = bitcast<vec3f>(best.xyz);
    let start = best.w;
    face.count = geometryLoop(face.firstLoopRow, start);
    face.loopStart = start + 1u;
    if (face.count == 2u) {
      // A face without a width.
      line = vec2u(geometryLoop(face.firstLoopRow, start + 1u), geometryLoop(face.firstLoopRow, start + 2u));
      isLine = shape.faceCount == 2u;
      face.loopStart = 0u;
    } else if (radius > 0.0 && alignment < MANIFOLD_EDGE_COSINE) {
      line = leaningEdge(face, face.normal, direction);
      face.flanks = mat2x3f(face.normal, geometryNeighbour(face.firstFaceRow, face.firstLoopRow, line));
      face.count = 2u;
      face.loopStart = 0u;
    }
  }
  if (face.loopStart == 0u) {
    let firstRow = geometryRow(core.firstRow + line.x);
    let lastRow = geometryRow(core.firstRow + line.y);
    let first = bitcast<vec3f>(firstRow.xyz) * core.scale;
    let last = bitcast<vec3f>(lastRow.xyz) * core.scale;
    face.middle = 0.5 * (first + last);
    face.columns[0] = 0.5 * (last - first);
    if (face.count == 2u) {
      face.normal = across(direction, face.columns[0]);
    }
    face.ends = vec2u(firstRow.w, lastRow.w);
  }
  face.origin = face.middle + face.normal * radius;
  if (face.count == 2u) {
    roundLine(&face, radius, isLine);
  }
  return face;
}

// Of the edges of a hull's face that the direction leans out over, the one most nearly perpendicular to it, by the
// numbers of its ends. No face is more aligned with the direction than this one. So the direction lies between it and
// the next face across that edge, and the rounded edge faces it.
fn leaningEdge(face: ContactFace, normal: vec3f, direction: vec3f) -> vec2u {
  var found = vec2u(0u);
  var least = 2.0;
  var number = 0u;
  var start = vec3f(0.0);
  // The first step only finds where the first edge starts.
  for (var i = 0u; i <= face.count; i++) {
    let next = geometryLoop(face.firstLoopRow, face.loopStart + select(i, face.count, i == 0u) - 1u);
    let end = geometryVector(face.firstRow + next);
    let edge = normalize(end - start);
    let cosine = abs(dot(direction, edge));
    if (i > 0u && dot(direction, cross(normal, edge)) < 0.0 && cosine < least) {
      least = cosine;
      found = vec2u(number, next);
    }
    number = next;
    start = end;
  }
  return found;
}
