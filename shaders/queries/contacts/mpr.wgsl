// Contact of a pair as far as MPR knows it.

import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_GJK};
import package::queries::pair-unit::{farthest, marginInUnits};
import package::queries::witness::{cornerWitness};
import package::queries::contacts::result::{boundSlack, convergedContact, farContact};
import package::mpr::{mpr, MPR_FAR, MPR_OPEN};

// Overlapping cores, whose depth is an upper bound of the least, and cores farther apart than the margin are decided;
// the rest goes on to GJK. `ending` is MPR_RAY or MPR_NORMAL.
fn contactByMpr(pair: Pair, callersMargin: f32, ending: u32) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let search = mpr(pair, farthest(margin, radius), ending);
  if (search.state == MPR_FAR) {
    return farContact(pair, search.normal, search.lower, 1e30, margin, search.iterations);
  }
  if (search.state == MPR_OPEN) {
    var pending: Contact;
    pending.info = INFO_PENDING_GJK;
    return pending;
  }
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  var contact = convergedContact(pair, search.normal, search.lower, search.lower, cores, margin, search.iterations);
  // The origin is in the difference; how deep at least is not known.
  contact.upper = (boundSlack(pair) - radius) * pair.unit;
  return contact;
}
