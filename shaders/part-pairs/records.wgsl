// What stages of a search for pairs of parts pass on (kernels/part-pairs/lists.wgsl).

// Two nodes, or two parts, of a pair of bodies.
struct PartPair {
  pair: u32,
  a: u32,
  b: u32,
}

// What a stage needs to know of the last one.
struct PartStage {
  // Stages before this one.
  number: u32,
  // Pairs of nodes, and where they begin in `items`.
  itemCount: u32,
  firstItem: u32,
  candidateCount: u32,
  // The most that there were after any stage: where they are more than the room, the search ended too early.
  neededItems: u32,
  neededCandidates: u32,
  // Pairs of boxes and pairs of parts that were tested: 64 bits each, the low word first.
  boxTests: vec2u,
  partTests: vec2u,
}

// Appended so far, which may be more than there is room for.
struct PartCounters {
  items: atomic<u32>,
  candidates: atomic<u32>,
  found: atomic<u32>,
  boxTests: atomic<u32>,
}

// In `a` of what is found: whether the parts are not certain to meet.
const IS_OPEN: u32 = 0x80000000u;
