// The contact normal of two overlapping polytopes by several lanes, and the contact along it by one invocation.

import package::arcs::{arcs};
import package::arcs::candidates::{CANDIDATE_BLOCK};
import package::arcs::few-facets::{haveFewFacets};
import package::arcs::gauss-map::{gaussMapOf};
import package::arcs::winner::{Winner};
import package::queries::contacts::arcs-checked::{UNKNOWN_BOUND};
import package::queries::contacts::epa-start::{EpaStart};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};

struct ArcsNormal {
  // In A's frame. No height of B - A along any direction is above `upper`: UNKNOWN_BOUND if it was not searched.
  normal: vec3f,
  upper: f32,
}

// `start` comes from contactByGjk. All invocations of a workgroup call this together.
fn normalByArcs(pair: Pair, shapeA: Shape, shapeB: Shape, start: EpaStart) -> ArcsNormal {
  var none: Winner;
  let mapA = gaussMapOf(shapeA, pair.coreA);
  let mapB = gaussMapOf(shapeB, pair.coreB);
  // Both rounds over the faces of a body take one block.
  let isSearched = haveFewFacets(mapA, mapB) && max(mapA.normalCount, mapB.normalCount) <= CANDIDATE_BLOCK;
  let search = arcs(pair, mapA, mapB, start.normal, start.lower, start.ids, start.count, none, isSearched);
  return ArcsNormal(search.normal, select(UNKNOWN_BOUND, search.upper, isSearched));
}
