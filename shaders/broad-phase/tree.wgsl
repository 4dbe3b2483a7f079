// A linear bounding volume hierarchy: Karras, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d
// Trees" (2012). Boxes are sorted by the Morton codes of their centres; an inner node holds the boxes whose codes, and
// then whose places in the order, have a prefix in common. Coordinates are relative to the position of one of the
// bodies.
//
// Departures from the paper:
//
// - A code's bits are split between the axes by the spread of the bodies along them (Vinkler, Bittner, Havran,
//   "Extended Morton Codes for High Performance Bounding Volume Hierarchy Construction", 2017), and coordinates are
//   mapped by quantiles of a sample. So 30 bits are enough for clusters, lines and bodies far away.
// - A node's box is not made from its children's boxes when both have arrived: WGSL's atomics order no other memory
//   between workgroups, so a parent could read a child's box before it is written. A node's boxes are a range of
//   the sorted ones, and the box of a range is found by way of blocks of BLOCK_LEAVES boxes, blocks of as many blocks,
//   and so on.
// - A search needs no stack. In Karras's numbering, the subtree that follows a node in depth-first order begins with
//   the inner node or the leaf after the node's last leaf (Prokopenko, Lebrun-Grandie, "Revising Apetrei's bounding
//   volume hierarchy construction algorithm to allow stackless traversal", 2024). Each node has this one as its rope.
//
// In an array of nodes with room for n bodies, inner nodes come first, leaves from n on, and blocks from 2 n on.

struct TreeNode {
  low: vec3f,
  // The left child of an inner node; the body of a leaf.
  link: u32,
  high: vec3f,
  // The next node of a search that leaves this one's bodies out, or NO_NODE.
  rope: u32,
}

const NO_NODE: u32 = 0xffffffffu;
const BLOCK_LEAVES: u32 = 8u;

// Words of the tree's state: how many leaves there are, and how many half-spaces follow them; the body at the origin;
// the axis of each bit of a code, the first bit first; and per axis the quantiles, ascending.
const TREE_LEAVES: u32 = 0u;
const TREE_HALFSPACES: u32 = 1u;
const TREE_ORIGIN: u32 = 2u;
const TREE_AXES: u32 = 3u;
const TREE_QUANTILES: u32 = 33u;
const TREE_WORDS: u32 = 132u;

const CODE_BITS: u32 = 30u;
const QUANTILES: u32 = 33u;

// Keys of bodies without a box, above all codes.
const KEY_HALFSPACE: u32 = 0x40000000u;
const KEY_INVALID: u32 = 0x80000000u;

// Boxes and rays are enlarged by this share of their coordinates, as on the CPU (src/broad-phase/box-rays.ts): more
// than ten times what f32 rounds in a place, a box and a test.
const PLACE_SLACK: f32 = 1e-6;
