// Finds the pairs of each body. It runs twice: first it counts the pairs of each owner, which is the body with the
// lower index, and then, with the counts summed, it writes them. The first pass keeps the partners of each body, as far
// as there is room; a body with more is searched for again. Both passes run the same compiled code on the same numbers,
// so they find the same pairs. All bodies are tested against all half-spaces.

import package::broad-phase::bound::{boxesMeet, groupsMeet, meetsHalfspace, GridBody, IS_FIXED};
import package::broad-phase::state::{STATE_HALFSPACES, STATE_MOST_TESTS};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::broad-phase::positions::{positionDifference};
import package::kernels::broad-phase::rows::{gridCount, layerCount, layerOf, numberOf, rowOf, sorted, state};

// Counts of pairs by owner, and then the place of each owner's next pair.
@group(0) @binding(13) var<storage, read_write> cursors: array<atomic<u32>>;
// x: the partner, until the pairs are sorted.
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;
// Per place, one row after the other: the number of partners that the first pass found, and the first of them.
@group(0) @binding(16) var<storage, read_write> partners: array<u32>;

const MOST_KEPT: u32 = 16u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slot = parameters.firstSlot + invocationIndex(workgroupId, localIndex);
  let bodyCount = gridCount();
  // Where it would take too long, the host searches for fewer bodies at a time.
  if (slot >= min(bodyCount, parameters.endSlot) || state[STATE_MOST_TESTS] > parameters.mostTests) {
    return;
  }
  let body = sorted[slot];
  let number = numberOf(body);
  let isWriting = parameters.isWriting != 0u;
  if (isWriting) {
    let kept = partners[slot];
    if (kept <= MOST_KEPT) {
      storeKept(number, slot, kept);
      return;
    }
  }
  var found = 0u;
  var ownCount = 0u;
  for (var i = 0u; i < layerCount(body); i++) {
    let layer = layerOf(body, i);
    for (var j = 0u; j < layer.rowCount; j++) {
      let row = rowOf(layer, j, body, slot);
      // Few bodies of a row are partners: the loop over all of them does no more than the test.
      for (var first = row.first; first < row.end; first += 32u) {
        let end = min(first + 32u, row.end);
        var hits = 0u;
        for (var at = first; at < end; at++) {
          let other = sorted[wrapped(at, bodyCount)];
          hits |= select(0u, 1u << (at - first), (other.key == row.key) & isPair(body, other));
        }
        for (; hits != 0u; hits &= hits - 1u) {
          let other = numberOf(sorted[wrapped(first + firstTrailingBit(hits), bodyCount)]);
          if (isWriting) {
            storePair(number, other);
          } else {
            ownCount += countPair(number, other, slot, found);
          }
          found++;
        }
      }
    }
  }
  for (var i = 0u; i < state[STATE_HALFSPACES]; i++) {
    let place = parameters.bodyCapacity - 1u - i;
    if (isOverHalfspace(body, sorted[place])) {
      let other = numberOf(sorted[place]);
      if (isWriting) {
        storePair(number, other);
      } else {
        ownCount += countPair(number, other, slot, found);
      }
      found++;
    }
  }
  if (!isWriting) {
    partners[slot] = found;
    if (ownCount != 0u) {
      atomicAdd(&cursors[number], ownCount);
    }
  }
}

// Counts partner number `found` of the body at `slot`, and keeps it. Returns what is to be added to the body's own
// count.
fn countPair(body: u32, other: u32, slot: u32, found: u32) -> u32 {
  if (found < MOST_KEPT) {
    partners[(found + 1u) * parameters.bodyCapacity + slot] = other;
  }
  if (body < other) {
    return 1u;
  }
  atomicAdd(&cursors[other], 1u);
  return 0u;
}

// Writes the pairs of the body at `slot` with all partners that the first pass kept.
fn storeKept(body: u32, slot: u32, kept: u32) {
  var ownCount = 0u;
  for (var i = 0u; i < kept; i++) {
    ownCount += select(0u, 1u, partners[(i + 1u) * parameters.bodyCapacity + slot] > body);
  }
  var place = reserve(body, ownCount);
  for (var i = 0u; i < kept; i++) {
    let other = partners[(i + 1u) * parameters.bodyCapacity + slot];
    if (other < body) {
      storePartner(reserve(other, 1u), body);
    } else {
      storePartner(place, other);
      place++;
    }
  }
}

fn storePair(body: u32, other: u32) {
  storePartner(reserve(min(body, other), 1u), max(body, other));
}

fn storePartner(place: u32, partner: u32) {
  if (place < parameters.pairCapacity) {
    foundPairs[place].x = partner;
  }
}

// The first of `count` places for pairs of an owner. The cursor of an owner without room for all its pairs ends above
// the capacity, and never wraps.
fn reserve(owner: u32, count: u32) -> u32 {
  if (count == 0u || atomicLoad(&cursors[owner]) > parameters.pairCapacity) {
    return parameters.pairCapacity;
  }
  return atomicAdd(&cursors[owner], count);
}

fn wrapped(at: u32, bodyCount: u32) -> u32 {
  return select(at, at - bodyCount, at >= bodyCount);
}

fn isPair(body: GridBody, other: GridBody) -> bool {
  let difference = positionDifference(numberOf(body), body.position, numberOf(other), other.position);
  return mayPair(body, other) & boxesMeet(difference, body.offset, body.half, other.offset, other.half);
}

fn isOverHalfspace(body: GridBody, halfspace: GridBody) -> bool {
  let difference = positionDifference(numberOf(halfspace), halfspace.position, numberOf(body), body.position);
  return mayPair(body, halfspace) & meetsHalfspace(
    difference, body.offset, body.half, halfspace.offset, halfspace.half.x, parameters.tolerance
  );
}

fn mayPair(body: GridBody, other: GridBody) -> bool {
  return ((body.body & other.body & IS_FIXED) == 0u) & groupsMeet(body.groups, other.groups);
}
