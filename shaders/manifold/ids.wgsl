// Ids of the corners of a contact region and their ranks, features of points of a manifold. See docs/conventions.md,
// "Features of manifold points".

// Bits 30 and 31 of an id: what the corner is; 0 is a vertex of A's.
const MANIFOLD_VERTEX: u32 = 1u << 30u;
const MANIFOLD_CROSSING: u32 = 2u << 30u;
const MANIFOLD_WITNESS: u32 = 3u << 30u;
// In features only: the vertex is B's.
const MANIFOLD_VERTEX_OF_B: u32 = 1u << 29u;
const MANIFOLD_EDGE_BITS: u32 = 15u;
// Two vertices with numbers below this have a key of their own.
const MANIFOLD_EDGE_BASE: u32 = 181u;

const NO_EDGE: u32 = 0xffffffffu;

// Spreads the numbers of vertices and edges over all ranks: the golden section of 2^32 (Knuth, The Art of Computer
// Programming 3, 6.4).
const MANIFOLD_RANK_FACTOR: u32 = 0x9e3779b9u;

// The key of an edge by the numbers of its ends: the same from either end.
fn edgeKey(ends: vec2u) -> u32 {
  return (min(ends.x, ends.y) * MANIFOLD_EDGE_BASE + max(ends.x, ends.y)) & ((1u << MANIFOLD_EDGE_BITS) - 1u);
}
