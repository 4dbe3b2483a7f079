// Contact of two overlapping polytopes by the arcs of their Gauss maps, from the simplex that GJK left.

import package::arcs::{arcs};
import package::arcs::few-facets::{haveFewFacets};
import package::arcs::gauss-map::{gaussMapOf};
import package::arcs::winner::{Winner};
import package::queries::contacts::arcs-points::{contactAlong};
import package::queries::contacts::epa-start::{EpaStart};
import package::shared::constants::{ARC_SPARE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_ARCS, INFO_PENDING_EPA, STATUS_CAPACITY_EXCEEDED};
import package::shared::shapes::{Shape};

struct ArcsContact {
  // Whether there is a contact. If not, the start of EPA, along a normal or, if nothing is known, as it was.
  isDone: bool,
  contact: Contact,
  start: EpaStart,
}

// `start` comes from contactByGjk, perhaps by way of an EPA that left the pair open.
fn contactByArcs(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, start: EpaStart) -> ArcsContact {
  let isLeft = (start.info & INFO_PENDING_ARCS) != 0u;
  var found: ArcsContact;
  found.start = start;
  // If EPA is a fallback step, this makes the host run it.
  found.start.info |= STATUS_CAPACITY_EXCEEDED;
  // Pairs with more facets are left to EPA unless they come from it.
  let mapA = gaussMapOf(shapeA, pair.coreA);
  let mapB = gaussMapOf(shapeB, pair.coreB);
  if (!isLeft && !haveFewFacets(mapA, mapB)) {
    return found;
  }
  var normal = start.normal;
  var lower = start.lower;
  var bound = 0.0;
  var excluded: Winner;
  // A face and an arc near it may be equally good except for rounding, and only one of them may have points. So if the
  // first one has none, the second attempt takes another one that is as good.
  for (var attempt = 0u; attempt < 2u; attempt++) {
    let search = arcs(pair, mapA, mapB, normal, lower, start.ids, start.count, excluded, true);
    if (attempt == 0u) {
      bound = search.upper;
    }
    let along = contactAlong(pair, callersMargin, search.normal, search.lower, search.top, bound, start.info);
    // EPA finds points along this normal if there are none here. A pair that EPA left open takes this normal in any
    // case.
    if (attempt == 0u && ((along.isResolved && bound < 0.0) || isLeft)) {
      found.start.normal = search.normal;
      found.start.lower = search.lower;
      found.start.upper = along.upper;
      found.start.info |= INFO_PENDING_EPA | INFO_PENDING_ARCS;
    }
    if (along.isDone) {
      found.isDone = true;
      found.contact = along.contact;
      break;
    }
    if (!along.isResolved) {
      break;
    }
    excluded = search.winner;
    normal = search.normal;
    lower = search.lower - ARC_SPARE_ULPS * EPSILON;
  }
  return found;
}
