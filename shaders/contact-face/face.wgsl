// A contact face, and functions that read its vertices and edges.

import package::shared::geometry::{geometryVector, geometryIndex, geometryLoop};
import package::shared::shapes::{CORE_BOX};

// The files beside this one fill it in the body's frame. `contactFace` then takes vectors and points to the coordinates
// u, v, h of the pair's contact frame, in which h runs along the contact normal.
struct ContactFace {
  // Number of vertices: 0 for an unbounded plane, 1 for a point, 2 for a line.
  count: u32,
  kind: u32,
  // 1 if the normal points along h, -1 if it points against it.
  side: f32,
  // Whether another face can be clipped against this one.
  isArea: bool,
  // Unit normal out of the surface.
  normal: vec3f,
  // Cosine between the normal and the direction.
  cosine: f32,
  // Slope of its plane along u and v.
  slope: vec2f,
  // A point of its plane; of a hull's face with an area, vertex 0.
  anchor: vec3f,
  // Vertex i is origin + columns * x. Of a hull's face with an area, x is the hull's vertex. Otherwise x is what
  // `corner` gives, and the columns are the half axes p and q.
  origin: vec3f,
  columns: mat3x3f,
  // Hulls: rows of the vertices, of the faces and of the loops, and where in the loops this face begins. 0: it has no
  // loop.
  firstRow: u32,
  firstFaceRow: u32,
  firstLoopRow: u32,
  loopStart: u32,
  // All but lines: number of the first vertex; for a box the number of the face, 2 axis + positive.
  number: u32,
  // Lines: numbers of the ends.
  ends: vec2u,
  // The surface's farthest point along the direction and its number, if that may be another than a vertex of the face.
  hasPeak: bool,
  peak: vec3f,
  peakNumber: u32,
  // Rounding radius of the shape.
  radius: f32,
  // Lines: the middle of the axis that the surface is bent around, the radius, and whether the ends are balls. Of a
  // cone, the middle of the line itself, and the cone's radius there.
  middle: vec3f,
  bend: f32,
  isCapped: bool,
  // Whether the surface is bent all around the axis. If not, the line is above an edge, and these are the unit normals
  // of the edge's two faces.
  isRound: bool,
  flanks: mat2x3f,
  // Cones: the side's normal along the radius and along the axis. Otherwise 1, 0.
  slant: vec2f,
}

// A's and B's contact face, and then the lines in which the two touch, if they touch along an edge. An array that is
// indexed dynamically lives in memory, so each step loads only the fields that it reads and holds no registers for the
// rest.
var<private> contactFaces: array<ContactFace, 4>;

// Where the lines start in contactFaces: A's, then B's.
const TOUCHING_LINES: u32 = 2u;

const DIAGONAL: f32 = 0.70710678;

// Vertex i in u, v, h: counter-clockwise, seen from outside.
fn faceVertex(face: ContactFace, i: u32) -> vec3f {
  if (face.loopStart > 0u) {
    let number = geometryLoop(face.firstLoopRow, face.loopStart + i);
    return face.origin + face.columns * geometryVector(face.firstRow + number);
  }
  let at = corner(face.count, i);
  return face.origin + face.columns[0] * at.x + face.columns[1] * at.y;
}

// Vertex 0.
fn firstVertex(face: ContactFace) -> vec3f {
  let at = corner(face.count, 0u);
  return select(face.origin + face.columns[0] * at.x + face.columns[1] * at.y, face.anchor, face.loopStart > 0u);
}

// Where an edge starts, and its vector. The vector is the difference of the vertices in the body's frame, so that the
// direction of a short edge is precise, too.
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

// Vertex i of a point, a line, a parallelogram or an octagon, in multiples of the columns.
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

// Number of vertex i of the face in the shape: the same for every face that the vertex belongs to. Vertex `face.count`
// is the peak.
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
    let isSet = vec3<bool>(isPositive, (at.x > 0.0) == isPositive, at.y > 0.0);
    let bits = select(vec3u(0u), vec3u(1u), isSet);
    return (bits.x << axis) | (bits.y << ((axis + 1u) % 3u)) | (bits.z << ((axis + 2u) % 3u));
  }
  return face.number + i;
}
