// The normal of a pair of polytopes whose depth EPA left open, for EPA along it.

import package::shared::pair::{Pair};
import package::shared::results::{INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_ITERATIONS_SHIFT};
import package::shared::shapes::{Shape};
import package::arcs::{arcs};
import package::queries::contacts::epa-start::{EpaStart};

// `start` comes from contactByGjk. The result has another normal, and bounds that hold for all directions.
fn epaStartByArcs(pair: Pair, shapeA: Shape, shapeB: Shape, start: EpaStart) -> EpaStart {
  let found = arcs(pair, shapeA, shapeB, start.normal, start.lower);
  let iterations = start.info >> INFO_ITERATIONS_SHIFT;
  return EpaStart(
    found.normal, found.lower, found.upper,
    INFO_PENDING_EPA | INFO_PENDING_ARCS | (iterations << INFO_ITERATIONS_SHIFT), start.ids, start.count
  );
}
