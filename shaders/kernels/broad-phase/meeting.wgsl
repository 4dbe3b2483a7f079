// Whether two bodies are a pair, by their boxes, groups and flags.

import package::broad-phase::bound::{boxesMeet, groupsMeet, meetsHalfspace, bodyNumber, GridBody, IS_FIXED};
import package::kernels::broad-phase::parameters::{parameters};
import package::kernels::broad-phase::positions::{positionDifference};

// Of two bodies with boxes.
fn isPair(body: GridBody, other: GridBody) -> bool {
  let difference = positionDifference(bodyNumber(body), body.position, bodyNumber(other), other.position);
  return mayPair(body, other) & boxesMeet(difference, body.offset, body.half, other.offset, other.half);
}

fn isOverHalfspace(body: GridBody, halfspace: GridBody) -> bool {
  let difference = positionDifference(bodyNumber(halfspace), halfspace.position, bodyNumber(body), body.position);
  return mayPair(body, halfspace) & meetsHalfspace(
    difference, body.offset, body.half, halfspace.offset, halfspace.half.x, parameters.tolerance
  );
}

fn mayPair(body: GridBody, other: GridBody) -> bool {
  return ((body.body & other.body & IS_FIXED) == 0u) & groupsMeet(body.groups, other.groups);
}
