// The contact along a normal that a search of faces and arcs has found.

import package::queries::contacts::arcs-points::{AlongNormal, contactAlong};
import package::queries::contacts::epa-start::{EpaStart};
import package::shared::pair::{Pair};
import package::shared::support-of-polytope::{supportOfPolytope};

struct CheckedContact {
  along: AlongNormal,
  // The least height of B - A along the normal.
  lower: f32,
}

// In place of a bound: the pair was not searched, because the bodies have too many facets or none.
const UNKNOWN_BOUND: f32 = 1e30;

// `start` has the normal; no height is above `bound`.
fn contactByNormal(pair: Pair, callersMargin: f32, start: EpaStart, bound: f32) -> CheckedContact {
  // What supports make of the normal is certain: B's lowest vertex in A's frame, then A's in B's. In a loop, as
  // compilers inline every call.
  var core = pair.coreB;
  var toFrame = pair.rotation;
  var origin = pair.translation;
  var along = start.normal;
  var least = 0.0;
  var height = 0.0;
  for (var side = 0u; side < 2u; side++) {
    height = dot(along, toFrame * supportOfPolytope(core, -(along * toFrame)).position + origin);
    least += height;
    core = pair.coreA;
    toFrame = transpose(pair.rotation);
    origin = -(pair.translation * pair.rotation);
    along = -(start.normal * pair.rotation);
  }
  let lower = least - dot(start.normal, pair.translation);
  let top = dot(start.normal, pair.translation) - height;
  return CheckedContact(
    contactAlong(pair, callersMargin, start.normal, lower, top, max(bound, lower), start.info), lower
  );
}
