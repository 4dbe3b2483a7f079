// The normal of a pair of polytopes whose depth EPA left open, for EPA along it.

import package::shared::pair::{Pair};
import package::shared::results::{INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_ITERATIONS_SHIFT};
import package::shared::shapes::{Shape};
import package::arcs::{arcs};
import package::queries::contacts::pending::{Pending};

// `pending` is what contactByGjk left. What this gives has another normal, and bounds that hold for all directions.
fn pendingByArcs(pair: Pair, shapeA: Shape, shapeB: Shape, pending: Pending) -> Pending {
  let found = arcs(pair, shapeA, shapeB, pending.normal, pending.lower);
  let iterations = pending.info >> INFO_ITERATIONS_SHIFT;
  return Pending(
    found.normal, found.lower, found.upper, INFO_PENDING_EPA | INFO_PENDING_ARCS | (iterations << INFO_ITERATIONS_SHIFT),
    pending.ids, pending.count
  );
}
