// Parameters of the kernels that find the pairs of parts of pairs of bodies.

struct PartPairParameters {
  // Room for pairs of nodes in one half of `items`, for pairs of parts between two stages, and in the list of those
  // found.
  itemCapacity: u32,
  candidateCapacity: u32,
  listCapacity: u32,
  // Which pairs of parts are listed: one of TEST_.
  test: u32,
  // For the sorting of the list: how many there are, the word that is sorted by, and whether that is the first one.
  listCount: u32,
  word: u32,
  isFirst: u32,
}

// All parts whose boxes are near, except triangles that are certain to be farther apart than the margin.
const TEST_NEAR: u32 = 0u;
// Triangles that meet, or may.
const TEST_MEETING: u32 = 1u;
// Triangles that may meet, of the pairs of bodies that no triangles decide which meet. A pair of bodies that is decided
// is searched no further.
const TEST_ANY: u32 = 2u;

@group(0) @binding(0) var<uniform> parameters: PartPairParameters;
