// Contact of two overlapping polytopes by the arcs of their Gauss maps, from the simplex that GJK left.

import package::arcs::{arcs, Winner};
import package::arcs::witness::{arcsWitness};
import package::arcs::gauss-map::{gaussMapOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::result::{convergedContact};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::witness::{Surface};
import package::shared::constants::{ARC_SPARE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{
  Contact, INFO_ITERATIONS_SHIFT, INFO_PENDING_ARCS, INFO_PENDING_EPA, STATUS_CAPACITY_EXCEEDED
};
import package::shared::shapes::{Shape};

// Most facets of both bodies together. Pairs with more are left to EPA unless they come from it.
override MOST_FACETS: u32 = 0xffffffffu;

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
  if (!isLeft && !haveFewFacets(pair, shapeA, shapeB)) {
    return found;
  }
  var normal = start.normal;
  var lower = start.lower;
  var bound = 0.0;
  var spent: Winner;
  // The second time for another face or arc that is as good. Where a face and an arc near it are equally good but for
  // rounding, only one of them may have points.
  for (var attempt = 0u; attempt < 2u; attempt++) {
    let search = arcs(pair, shapeA, shapeB, normal, lower, start.ids, start.count, spent);
    if (attempt == 0u) {
      bound = search.upper;
    }
    // Cores that touch may be apart by as much as they are deep.
    let areTouching = bound >= 0.0;
    var upper = select(bound, max(bound, -search.lower), areTouching);
    let isResolved = upper - search.lower <= acceptedGap(pair);
    // What EPA left open has no better answer than this one.
    if (attempt == 0u && ((isResolved && !areTouching) || isLeft)) {
      found.start.normal = search.normal;
      found.start.lower = search.lower;
      found.start.upper = upper;
      found.start.info |= INFO_PENDING_EPA | INFO_PENDING_ARCS;
    }
    if (!isResolved) {
      break;
    }
    let points = arcsWitness(pair, search.normal, search.lower, search.top);
    if (points.hasPoints && areTouching) {
      upper = max(upper, length(points.onB - points.onA));
    }
    // Where cores touch, the points may be farther apart than the bounds.
    if (points.hasPoints && upper - search.lower <= acceptedGap(pair)) {
      found.isDone = true;
      found.contact = convergedContact(
        pair, search.normal, search.lower, upper, Surface(points.onA, points.onB),
        marginInUnits(pair, callersMargin), start.info >> INFO_ITERATIONS_SHIFT
      );
      break;
    }
    spent = search.winner;
    normal = search.normal;
    lower = search.lower - ARC_SPARE_ULPS * EPSILON;
  }
  return found;
}

fn haveFewFacets(pair: Pair, shapeA: Shape, shapeB: Shape) -> bool {
  let mapA = gaussMapOf(shapeA, pair.coreA);
  let mapB = gaussMapOf(shapeB, pair.coreB);
  return mapA.normalCount + mapB.normalCount <= MOST_FACETS && mapA.stepCount + mapB.stepCount > 0u;
}
