// The contact normal of two overlapping polytopes by the arcs of their Gauss maps.

import package::arcs::{ArcsResult, arcs};
import package::arcs::few-facets::{haveFewFacets};
import package::arcs::gauss-map::{gaussMapOf};
import package::arcs::winner::{Winner};
import package::queries::contacts::arcs-checked::{UNKNOWN_BOUND};
import package::queries::contacts::epa-start::{EpaStart};
import package::shared::constants::{ARC_SPARE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{INFO_PENDING_ARCS};
import package::shared::shapes::{Shape};

// `start` is the record `index`: from contactByGjk, perhaps by way of an EPA that left the pair open. `isAgain`: there
// were no points along the normal that an earlier search found; `excluded` is the face or arc that has this normal, if
// one has it. The upper bound is UNKNOWN_BOUND if the pair is left to EPA, because its bodies have many facets. All
// invocations of a workgroup call this together. If `isThere` is false, there is no pair, and nothing is searched.
fn normalByArcs(
  pair: Pair, shapeA: Shape, shapeB: Shape, start: EpaStart, index: u32, isThere: bool, isAgain: bool, excluded: Winner
) -> ArcsResult {
  let mapA = gaussMapOf(shapeA, pair.coreA);
  let mapB = gaussMapOf(shapeB, pair.coreB);
  let isFromEpa = (start.info & INFO_PENDING_ARCS) != 0u;
  let isSearched = isThere && (isFromEpa || haveFewFacets(mapA, mapB));
  // One that is as good as the first one except for rounding.
  let lower = start.lower - select(0.0, ARC_SPARE_ULPS * EPSILON, isAgain);
  var found = arcs(pair, mapA, mapB, lower, index, start.count, excluded, isSearched);
  if (!isSearched) {
    found.upper = UNKNOWN_BOUND;
  }
  return found;
}
