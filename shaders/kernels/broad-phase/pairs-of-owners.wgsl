// The pairs of each owner, after the search. All pairs of an owner are next to each other; owners ascend.

@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;
// The end of each owner's pairs. It is above the capacity where there is no room for all of them.
@group(0) @binding(13) var<storage, read> cursors: array<u32>;
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;
// Owners of many pairs, in any order.
@group(0) @binding(15) var<storage, read_write> longOwners: array<u32>;

// The first of an owner's pairs.
fn firstPairOf(owner: u32) -> u32 {
  return select(0u, cursors[max(owner, 1u) - 1u], owner != 0u);
}
