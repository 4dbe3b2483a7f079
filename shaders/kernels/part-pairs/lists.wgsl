// What stages of a search pass on. A stage is three dispatches:
//
//     walk       descends from the pairs of nodes of one half of `items`, appends what is left to the other half, and
//                the pairs of leaves to `candidates`
//     advance    publishes how many these are, and swaps the halves
//     triangles  tests the candidates, and appends to `found` those that are listed
//
// Orders depend on scheduling. What is listed does not: it is sorted at the end, and what a stage reads of the tests of
// earlier ones was complete before.

import package::part-pairs::records::{PartCounters, PartPair};

@group(0) @binding(2) var<storage, read_write> counters: PartCounters;
@group(0) @binding(4) var<storage, read_write> candidates: array<PartPair>;
// Per pair of bodies: 1 if parts of theirs were found to meet. For TEST_ANY.
@group(0) @binding(6) var<storage, read_write> verdicts: array<u32>;
