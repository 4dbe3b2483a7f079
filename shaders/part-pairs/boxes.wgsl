// Nodes of the trees of parts, and the test of two of them. src/bvh/separation.ts has the same test in double precision
// (faceSeparation), with further axes and for boxes with axes of their own.

import package::shared::math::{EPSILON, conjugate, relativeQuaternion, rotated, rotationMatrix, scaleToUnit};
import package::shared::pair::{extentOf};
import package::shared::shapes::{Pose, Shape, CORE_HALFSPACE};

// A box along the axes of its shape's frame, around parts of the shape. Node i is the root of shape i. The root of a
// convex shape is a leaf with the box of the shape. All other nodes follow.
struct PartNode {
  // For a half-space: its unit normal.
  centre: vec3f,
  // Of a node with children, the number of the first one, which the second one follows. Of a leaf, its part and
  // IS_LEAF.
  link: u32,
  // For a half-space: the offset, and two zeros.
  half: vec3f,
  // Kind of the part. Of a node with children, CORE_PARTS.
  kind: u32,
}

const IS_LEAF: u32 = 0x80000000u;

// Rounding of the test in ULPS of the pair's size. Smaller: parts that touch might be passed over. It is at least four
// times the rounding of f32 from the poses to the gap.
const PART_BOX_ULPS: f32 = 32.0;

// Where the frame of B is in the frame of A, with what the test of two nodes needs besides.
struct PartPlaces {
  // From B's axes to A's.
  rotation: mat3x3f,
  // From A's origin to B's, in A's axes.
  translation: vec3f,
  scaleA: f32,
  scaleB: f32,
  // Boxes with greater gaps do not matter: the margin, and the rounding of the test.
  most: f32,
}

// `offset` is B's position minus A's, in world axes.
fn placeParts(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, offset: vec3f, margin: f32) -> PartPlaces {
  let quaternionA = poseA.quaternion * scaleToUnit(dot(poseA.quaternion, poseA.quaternion));
  let quaternionB = poseB.quaternion * scaleToUnit(dot(poseB.quaternion, poseB.quaternion));
  let size = extentOf(shapeA) * poseA.scale + extentOf(shapeB) * poseB.scale +
      abs(offset.x) + abs(offset.y) + abs(offset.z);
  return PartPlaces(
    rotationMatrix(relativeQuaternion(quaternionA, quaternionB)),
    rotated(conjugate(quaternionA), offset),
    poseA.scale,
    poseB.scale,
    margin + PART_BOX_ULPS * EPSILON * (size + margin),
  );
}

fn isLeaf(node: PartNode) -> bool {
  return (node.link & IS_LEAF) != 0u;
}

// Whether two nodes are at most the margin apart. At most one of them is a half-space.
fn nodesMeet(a: PartNode, b: PartNode, at: PartPlaces) -> bool {
  if (max(a.kind, b.kind) == CORE_HALFSPACE || min(a.kind, b.kind) == CORE_HALFSPACE) {
    return halfspaceGap(a, b, at) <= at.most;
  }
  let spread = mat3x3f(abs(at.rotation[0]), abs(at.rotation[1]), abs(at.rotation[2]));
  let halfA = at.scaleA * a.half;
  let halfB = at.scaleB * b.half;
  let between = at.rotation * (at.scaleB * b.centre) + at.translation - at.scaleA * a.centre;
  let gaps = max(abs(between) - halfA - spread * halfB, abs(between * at.rotation) - halfB - halfA * spread);
  return max(gaps.x, max(gaps.y, gaps.z)) <= at.most;
}

// How far a box is above a half-space.
fn halfspaceGap(a: PartNode, b: PartNode, at: PartPlaces) -> f32 {
  if (a.kind == CORE_HALFSPACE) {
    let centre = at.rotation * (at.scaleB * b.centre) + at.translation;
    return dot(a.centre, centre) - dot(abs(a.centre * at.rotation), at.scaleB * b.half) - at.scaleA * a.half.x;
  }
  let normal = at.rotation * b.centre;
  return dot(normal, at.scaleA * a.centre - at.translation) - dot(abs(normal), at.scaleA * a.half) -
      at.scaleB * b.half.x;
}

// The sum of a box's half extents, at full scale.
fn sizeOfNode(node: PartNode, scale: f32) -> f32 {
  return scale * dot(node.half, vec3f(1.0));
}
