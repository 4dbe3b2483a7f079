// The contact faces of two sharp boxes, and both in shares of one of them.

import package::shared::constants::{MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_WIDTH};
import package::shared::math::{EPSILON};

// Signs of a face's columns at its four vertices.
const CORNER_P = vec4f(-1.0, 1.0, 1.0, -1.0);
const CORNER_Q = vec4f(-1.0, -1.0, 1.0, 1.0);

// A face as a parallelogram in u, v, h: see contact-face.wgsl.
struct BoxFace {
  origin: vec3f,
  p: vec3f,
  q: vec3f,
  // Between its normal and the direction. It is at least 0.57, as it is a unit vector's greatest component: so no face
  // is too steep to be clipped against.
  cosine: f32,
  // Slope of its plane along u and v.
  slope: vec2f,
  // Whether the other face can be clipped against this one.
  isArea: bool,
  // The numbers of its vertices in the box, four bits each.
  vertices: u32,
}

// `direction` is a unit vector in the box's frame. `rotation` takes vectors from there to u, v, h; `offset` is the
// box's middle there. The face is that of boxFace in contact-face/polytope.wgsl, and so is the order of its vertices.
fn boxFaceAlong(half: vec3f, direction: vec3f, rotation: mat3x3f, offset: vec3f) -> BoxFace {
  let slope = abs(direction);
  let isY = slope.y > slope.x && slope.y >= slope.z;
  let isZ = !isY && slope.z > slope.x;
  // Columns are never 0, so that points of faces without an area have shares, too.
  let wide = max(half, vec3f(MANIFOLD_LEAST_WIDTH));
  let x = rotation[0] * wide.x;
  let y = rotation[1] * wide.y;
  let z = rotation[2] * wide.z;
  let along = select(select(direction.x, direction.y, isY), direction.z, isZ);
  let isPositive = along >= 0.0;
  let turn = select(-1.0, 1.0, isPositive);
  let toFace = select(select(x, y, isY), z, isZ);
  let normal = select(select(rotation[0], rotation[1], isY), rotation[2], isZ);
  let p = select(select(y, z, isY), x, isZ);
  let q = select(select(z, x, isY), y, isZ);
  let size = select(select(half.yz, half.zx, isY), half.xy, isZ);
  // Bits of the vertices' numbers that the normal, p and q set: see support-of-polytope.wgsl.
  let bits = select(select(vec3u(1u, 2u, 4u), vec3u(2u, 4u, 1u), isY), vec3u(4u, 1u, 2u), isZ);
  let base = select(0u, bits.x, isPositive);
  let left = base | select(bits.y, 0u, isPositive);
  let right = base | select(0u, bits.y, isPositive);
  return BoxFace(
    offset + toFace * turn,
    p * turn,
    q,
    abs(along),
    -normal.xy / normal.z,
    min(size.x, size.y) >= MANIFOLD_LEAST_WIDTH,
    left | (right << 4u) | ((right | bits.z) << 8u) | ((left | bits.z) << 12u)
  );
}

// Two faces, one of which, the region, is the frame: a point's shares (s, t) of its columns.
struct BoxFaces {
  // The subject's middle and columns.
  middle: vec2f,
  p: vec2f,
  q: vec2f,
  // The distance at the region's middle, and how it grows with s and t.
  distance: vec3f,
  // The square of a length is s^2, s t, t^2 times these. Twice the area of a triangle is `area` times that in shares.
  metric: vec3f,
  area: f32,
  // The least heights over edges 0 and 2, and over 1 and 3, that still count as over the face.
  regionSlack: vec2f,
  subjectSlack: vec2f,
  // Lengths of edges 0 and 2, and of 1 and 3.
  regionEdges: vec2f,
  subjectEdges: vec2f,
  // Whether the subject is B's face.
  isB: bool,
  isRegionArea: bool,
  areBothAreas: bool,
}

// B's edges over A's face, unless that is a line: `isB` is whether A's face is an area, and the region.
fn facesInShares(subject: BoxFace, region: BoxFace, isB: bool) -> BoxFaces {
  let between = subject.origin - region.origin;
  let side = select(-1.0, 1.0, isB);
  return BoxFaces(
    sharesOf(region, between.xy),
    sharesOf(region, subject.p.xy),
    sharesOf(region, subject.q.xy),
    // From the subject's plane, whose slope is known if the region is a line.
    side * vec3f(
      between.z - dot(subject.slope, between.xy),
      dot(subject.slope, region.p.xy) - region.p.z,
      dot(subject.slope, region.q.xy) - region.q.z
    ),
    vec3f(
      dot(region.p.xy, region.p.xy), 2.0 * dot(region.p.xy, region.q.xy), dot(region.q.xy, region.q.xy)
    ),
    abs(cross2(region.p.xy, region.q.xy)),
    slackOver(region),
    slackOver(subject),
    edgesOf(region),
    edgesOf(subject),
    isB,
    region.isArea,
    subject.isArea && region.isArea
  );
}

// A vector along u and v in shares of a face's columns.
fn sharesOf(face: BoxFace, v: vec2f) -> vec2f {
  return vec2f(cross2(v, face.q.xy), cross2(face.p.xy, v)) / cross2(face.p.xy, face.q.xy);
}

fn cross2(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

fn slackOver(face: BoxFace) -> vec2f {
  let p = abs(face.p.xy);
  let q = abs(face.q.xy);
  let area = abs(cross2(face.p.xy, face.q.xy));
  return -MANIFOLD_INSIDE_ULPS * EPSILON * face.cosine * vec2f(p.x + p.y, q.x + q.y) / area;
}

fn edgesOf(face: BoxFace) -> vec2f {
  return 2.0 * vec2f(length(face.p.xy), length(face.q.xy));
}

// Squares of the lengths of vectors in shares.
fn squaresOf(metric: vec3f, s: vec4f, t: vec4f) -> vec4f {
  return s * (s * metric.x + t * metric.y) + t * t * metric.z;
}
