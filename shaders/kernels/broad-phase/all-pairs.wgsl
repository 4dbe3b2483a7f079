// Tests all pairs of bodies: of few bodies, this takes less than a grid. Each body is the owner of its pairs with those
// of higher numbers, which it finds in ascending order. It runs twice: first it counts the pairs of each owner, and
// then, with the counts summed, it writes them.

import package::broad-phase::bound::{GridBody, BOUND_HALFSPACE};
import package::broad-phase::outer-box::{overlap, OuterBox};
import package::broad-phase::state::{STATE_MOST_TESTS};
import package::kernels::broad-phase::found-counts::{state, storeCounts};
import package::kernels::broad-phase::load-body::{bodyAt};
import package::kernels::broad-phase::meeting::{isOverHalfspace, isPair};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};

@group(0) @binding(10) var<storage, read> outerBoxes: array<OuterBox>;
// The number of each owner's pairs, and then the first place of them; after the last owner, the number of all pairs.
@group(0) @binding(13) var<storage, read_write> owners: array<u32>;
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let owner = parameters.firstSlot + invocationIndex(workgroupId, localIndex);
  // Where it would take too long, the host searches for fewer bodies at a time.
  let isTooLong = atomicLoad(&state[STATE_MOST_TESTS]) > parameters.mostTests;
  if (owner >= min(bodyCount(), parameters.endSlot) || isTooLong) {
    return;
  }
  let isWriting = parameters.isWriting != 0u;
  var place = 0u;
  if (isWriting) {
    place = owners[owner];
    let end = owners[owner + 1u];
    if (end > parameters.pairCapacity) {
      if (place <= parameters.pairCapacity) {
        storeCounts(place);
      }
      return;
    }
    if (owner == bodyCount() - 1u) {
      storeCounts(end);
    }
  }
  let body = bodyAt(owner);
  let box = outerBoxes[owner];
  let first = place;
  // Few bodies are partners: the loop over all of them does no more than the coarse test.
  for (var start = owner + 1u; start < bodyCount(); start += 32u) {
    let end = min(start + 32u, bodyCount());
    var hits = 0u;
    for (var other = start; other < end; other++) {
      hits |= select(0u, 1u << (other - start), overlap(box, outerBoxes[other]));
    }
    for (; hits != 0u; hits &= hits - 1u) {
      let other = start + firstTrailingBit(hits);
      if (meet(body, bodyAt(other))) {
        if (isWriting) {
          foundPairs[place] = vec2u(owner, other);
        }
        place++;
      }
    }
  }
  if (!isWriting) {
    owners[owner] = place - first;
  }
}

fn meet(a: GridBody, b: GridBody) -> bool {
  if (max(a.key, b.key) < BOUND_HALFSPACE) {
    return isPair(a, b);
  }
  if (a.key < BOUND_HALFSPACE && b.key == BOUND_HALFSPACE) {
    return isOverHalfspace(a, b);
  }
  if (b.key < BOUND_HALFSPACE && a.key == BOUND_HALFSPACE) {
    return isOverHalfspace(b, a);
  }
  return false;
}
