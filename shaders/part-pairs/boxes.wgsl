// Nodes of the trees of parts, and the test of two of them. src/bvh/separation.ts has the same test in double precision
// (faceSeparation), with further axes and for boxes with axes of their own.

import package::shared::math::{EPSILON};
import package::shared::shapes::{CORE_HALFSPACE};

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

// Whether bodies translate (PartPlaces.way), and whether they rotate as well (PartPlaces.turns).
override HAS_MOTION: bool = false;
override IS_ROTATING: bool = false;

// Rounding of the test in ULPS of the pair's size. Smaller: parts that touch might be passed over. It is at least four
// times the rounding of f32 from the poses to the gap.
const PART_BOX_ULPS: f32 = 32.0;

// The square of a greater gap is beyond f32. The margin may be greater by the square root of 3.
const GREATEST_GAP: f32 = 1e18;

// Where the frame of B is in the frame of A, with what the test of two nodes needs besides.
struct PartPlaces {
  // From B's axes to A's.
  rotation: mat3x3f,
  // From A's origin to B's, in A's axes.
  translation: vec3f,
  scaleA: f32,
  scaleB: f32,
  // Boxes with greater gaps do not matter: the margin, what times of impacts may be off, and the rounding of the test.
  most: f32,
  // How far B moves from there, in A's axes.
  way: vec3f,
  // How far rotation moves points of A and of B at most, as a share of their distance from their body's origin.
  turns: vec2f,
}

// `reach`: of both bodies from their origins, together.
fn partPlaces(
  rotation: mat3x3f, translation: vec3f, scaleA: f32, scaleB: f32, reach: f32, way: vec3f, turns: vec2f,
  margin: f32
) -> PartPlaces {
  // A rotation changes the sum of a vector's components by the square root of 3 at most, which PART_BOX_ULPS covers.
  let size = reach + dot(abs(translation) + abs(way), vec3f(1.0));
  return PartPlaces(
    rotation, translation, scaleA, scaleB, margin + PART_BOX_ULPS * EPSILON * (size + margin), way, turns
  );
}

fn isLeaf(node: PartNode) -> bool {
  return (node.link & IS_LEAF) != 0u;
}

// Whether two nodes are at most the margin apart, at some place of B on its way. At most one of them is a half-space.
fn nodesMeet(nodeA: PartNode, nodeB: PartNode, at: PartPlaces) -> bool {
  var a = nodeA;
  var b = nodeB;
  if (IS_ROTATING) {
    a = turnedNode(a, at.turns.x);
    b = turnedNode(b, at.turns.y);
  }
  if (max(a.kind, b.kind) == CORE_HALFSPACE || min(a.kind, b.kind) == CORE_HALFSPACE) {
    return halfspaceGap(a, b, at) <= at.most;
  }
  let spread = mat3x3f(abs(at.rotation[0]), abs(at.rotation[1]), abs(at.rotation[2]));
  let halfA = at.scaleA * a.half;
  let halfB = at.scaleB * b.half;
  let between = at.rotation * (at.scaleB * b.centre) + at.translation - at.scaleA * a.centre;
  if (HAS_MOTION) {
    return isWithinMost(leastSizes(between, at.way) - halfA - spread * halfB, at) &&
        isWithinMost(leastSizes(between * at.rotation, at.way * at.rotation) - halfB - halfA * spread, at) &&
        isNearWay(between, halfA, halfB, at);
  }
  return isWithinMost(abs(between) - halfA - spread * halfB, at) &&
      isWithinMost(abs(between * at.rotation) - halfB - halfA * spread, at);
}

// The least size that each component has on the way from `start`; 0 or less if its sign changes.
fn leastSizes(start: vec3f, way: vec3f) -> vec3f {
  return max(start + min(way, vec3f(0.0)), -start - max(way, vec3f(0.0)));
}

// The test along axes at right angles to the way and to an axis of A's, along which boxes pass each other.
fn isNearWay(between: vec3f, halfA: vec3f, halfB: vec3f, at: PartPlaces) -> bool {
  let axes = mat3x3f(vec3f(0.0, at.way.z, -at.way.y), vec3f(-at.way.z, 0.0, at.way.x), vec3f(at.way.y, -at.way.x, 0.0));
  for (var i = 0u; i < 3u; i++) {
    let axis = axes[i];
    let reach = dot(halfA, abs(axis)) + dot(halfB, abs(axis * at.rotation)) +
        min(at.most, 1.8 * GREATEST_GAP) * length(axis);
    if (abs(dot(between, axis)) > reach) {
      return false;
    }
  }
  return true;
}

// Whether boxes with these gaps along three axes at right angles may be at most the margin apart.
fn isWithinMost(gaps: vec3f, at: PartPlaces) -> bool {
  let outside = clamp(gaps, vec3f(0.0), vec3f(GREATEST_GAP));
  let most = min(at.most, 1.8 * GREATEST_GAP);
  return dot(outside, outside) <= most * most;
}

// A pair of nodes that are not both leaves: the pairs with each child of the larger box that is not a leaf.
struct Children {
  first: vec2u,
  second: vec2u,
}

fn childrenOf(numbers: vec2u, a: PartNode, b: PartNode, at: PartPlaces) -> Children {
  let cutsA = !isLeaf(a) && (isLeaf(b) || sizeOfNode(a, at.scaleA) >= sizeOfNode(b, at.scaleB));
  let link = select(b.link, a.link, cutsA);
  let first = select(vec2u(numbers.x, link), vec2u(link, numbers.y), cutsA);
  return Children(first, first + select(vec2u(0u, 1u), vec2u(1u, 0u), cutsA));
}

// How near two nodes are: the square of a gap between their boxes along A's axes, and the square of the distance of the
// centres. Of a half-space and a box, how far the box is above it.
fn nearness(a: PartNode, b: PartNode, at: PartPlaces) -> vec2f {
  if (max(a.kind, b.kind) == CORE_HALFSPACE || min(a.kind, b.kind) == CORE_HALFSPACE) {
    return vec2f(halfspaceGap(a, b, at), 0.0);
  }
  let spread = mat3x3f(abs(at.rotation[0]), abs(at.rotation[1]), abs(at.rotation[2]));
  let between = at.rotation * (at.scaleB * b.centre) + at.translation - at.scaleA * a.centre;
  let gaps = max(abs(between) - at.scaleA * a.half - spread * (at.scaleB * b.half), vec3f(0.0));
  return vec2f(dot(gaps, gaps), dot(between, between));
}

// How far a box is above a half-space, at the lowest place on the way.
fn halfspaceGap(a: PartNode, b: PartNode, at: PartPlaces) -> f32 {
  if (a.kind == CORE_HALFSPACE) {
    let centre = at.rotation * (at.scaleB * b.centre) + at.translation;
    return dot(a.centre, centre) - dot(abs(a.centre * at.rotation), at.scaleB * b.half) - at.scaleA * a.half.x +
        min(dot(a.centre, at.way), 0.0);
  }
  let normal = at.rotation * b.centre;
  return dot(normal, at.scaleA * a.centre - at.translation) - dot(abs(normal), at.scaleA * a.half) -
      at.scaleB * b.half.x - max(dot(normal, at.way), 0.0);
}

// The node with a box around all places of its points while its body rotates: each moves by at most `turn` times its
// distance from the origin, and stays that far from there. A half-space that rotates may be anywhere.
fn turnedNode(node: PartNode, turn: f32) -> PartNode {
  if (turn == 0.0) {
    return node;
  }
  var turned = node;
  if (node.kind == CORE_HALFSPACE) {
    turned.half.x = GREATEST_GAP;
    return turned;
  }
  let reach = length(abs(node.centre) + node.half);
  turned.half += turn * reach;
  if (dot(turned.half, vec3f(1.0)) > 3.0 * reach) {
    turned.centre = vec3f(0.0);
    turned.half = vec3f(reach);
  }
  return turned;
}

// The sum of a box's half extents, at full scale.
fn sizeOfNode(node: PartNode, scale: f32) -> f32 {
  return scale * dot(node.half, vec3f(1.0));
}
