// Finds the pairs of each body and counts those of each owner, which is the body with the lower index. It keeps the
// partners of a body as far as there is room (store-kept writes these pairs), and lists the bodies with more. After the
// counts are summed, it searches for the listed bodies again and writes the pairs that were not kept. The same compiled
// code runs both times, on the same numbers, so it finds the same pairs in the same order. All bodies are tested
// against all half-spaces.

import package::broad-phase::bound::{bodyNumber};
import package::broad-phase::state::{STATE_HALFSPACES, STATE_MOST_TESTS};
import package::broad-phase::steps::{mayMeet};
import package::kernels::broad-phase::load-body::{bodyAt};
import package::kernels::broad-phase::meeting::{isOverHalfspace, isPair};
import package::kernels::broad-phase::owners::{endOfOwner, firstOfOwn, owners, rowLength, storeOwnCount};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::broad-phase::partners::{
  foundPairs, keep, listedCount, listedSlot, listSlot, partners, MOST_KEPT
};
import package::kernels::broad-phase::rows::{
  countOf, gridCount, isNone, layerOf, layersOf, otherLayers, rowsFrom, slotOf, state, stepsOf, ROWS
};

// The body that is searched for, and the partners found so far.
struct Seeker {
  number: u32,
  slot: u32,
  found: u32,
  // Those of pairs that the body owns, and where these pairs begin.
  owned: u32,
  firstOfOwn: u32,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let isWriting = parameters.isWriting != 0u;
  var end = min(select(gridCount(), listedCount(), isWriting), parameters.endSlot);
  // Where it would take too long, the host searches for fewer bodies at a time.
  end = select(end, 0u, state[STATE_MOST_TESTS] > parameters.mostTests);
  let first = parameters.firstSlot + invocationIndex(workgroupId, localIndex);
  for (var i = first; i < end; i += parameters.stride) {
    search(select(i, listedSlot(i), isWriting), isWriting);
  }
}

fn search(slot: u32, isWriting: bool) {
  let body = bodyAt(slot);
  let number = bodyNumber(body);
  var seeker = Seeker(number, slot, 0u, 0u, select(0u, firstOfOwn(number), isWriting));
  for (var layers = layersOf(body); !isNone(layers); layers = otherLayers(layers)) {
    let layer = layerOf(body, slot, layers);
    for (var row = 0u; row < layer.rowCount; row += ROWS) {
      let rows = rowsFrom(layer, row, slot);
      // Few bodies of the rows are partners: the loop over all of them does no more than the coarse test.
      for (var start = 0u; start < countOf(rows); start += 32u) {
        let end = min(start + 32u, countOf(rows));
        var hits = 0u;
        for (var i = start; i < end; i++) {
          hits |= select(0u, 1u << (i - start), mayMeet(layer.steps, stepsOf(slotOf(layer, rows, i))));
        }
        for (; hits != 0u; hits &= hits - 1u) {
          let i = start + firstTrailingBit(hits);
          let other = bodyAt(slotOf(layer, rows, i));
          // A body of another cell that shares the bucket is too far away to be a pair with this one.
          if (isPair(body, other)) {
            take(&seeker, bodyNumber(other), isWriting);
          }
        }
      }
    }
  }
  for (var i = 0u; i < state[STATE_HALFSPACES]; i++) {
    let other = bodyAt(parameters.bodyCapacity - 1u - i);
    if (isOverHalfspace(body, other)) {
      take(&seeker, bodyNumber(other), isWriting);
    }
  }
  if (!isWriting) {
    partners[slot] = seeker.found;
    storeOwnCount(number, seeker.owned);
    if (seeker.found > MOST_KEPT) {
      listSlot(slot);
    }
  }
}

// Counts the pair with the next partner, or writes it. Software adapters run all branches, so there is one access to
// each buffer for both.
fn take(seeker: ptr<function, Seeker>, other: u32, isWriting: bool) {
  let number = (*seeker).number;
  let found = (*seeker).found;
  let isKept = found < MOST_KEPT;
  let isOwn = number < other;
  var rank = 0u;
  if (!isOwn && !(isKept && isWriting)) {
    rank = atomicAdd(&owners[select(2u, 1u, isKept) * rowLength() + other], select(1u, 0xffffffffu, isWriting));
  }
  if (isKept && !isWriting) {
    keep((*seeker).slot, found, other, rank);
  }
  if (!isKept && isWriting) {
    let place = select(endOfOwner(other) - rank, (*seeker).firstOfOwn + (*seeker).owned, isOwn);
    if (place < parameters.pairCapacity) {
      foundPairs[place].x = max(number, other);
    }
  }
  (*seeker).found = found + 1u;
  (*seeker).owned += u32(isOwn);
}
