// How far witness points miss the normal.

import package::shared::pair::{Pair};
import package::shared::support::{differencePoint};
import package::epa::search::{EpaResult};

// Distance between B's witness point and where it would be, if it were `lower` apart from A's along the normal.
fn missOf(pair: Pair, result: EpaResult) -> f32 {
  var point = -result.normal * result.lower;
  var ids = array(result.idA, result.idB, result.idC);
  var weights = result.weights;
  for (var corner = 0u; corner < 3u; corner++) {
    point += differencePoint(pair, ids[corner]).position * weights.x;
    weights = weights.yzx;
  }
  return length(point);
}
