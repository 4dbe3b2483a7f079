// Finds the pairs of each body. It runs twice: first it counts the pairs of each owner, which is the body with the lower
// index, and then, with the counts summed, it writes them. The first pass keeps the partners of each body, as far as
// there is room; a body with more is searched for again. Both passes run the same compiled code on the same numbers, so
// they find the same pairs.
//
// Of two bodies in one level, the one whose cell comes first finds the pair: in its own cell those behind it in the
// array, then the next cell, and then the rows that come after. Each body also searches the levels of larger cells, and
// tests all half-spaces.

import package::broad-phase::bound::{boxesMeet, groupsMeet, meetsHalfspace, GridBody, IS_FIXED};
import package::broad-phase::grid::{bucketOf, movedKey, rowKey, CELL_SLACK, LEVEL_MASK, PLACE_ROUNDING};
import package::broad-phase::state::{STATE_CELL_SIZES, STATE_HALFSPACES, STATE_ORIGIN, STATE_ORIGIN_POSITION};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters, IS_PLANAR};
import package::kernels::broad-phase::positions::{positionDifference};

@group(0) @binding(6) var<storage, read> state: array<u32>;
@group(0) @binding(10) var<storage, read> columns: array<u32>;
@group(0) @binding(11) var<storage, read> buckets: array<u32>;
@group(0) @binding(12) var<storage, read> sorted: array<GridBody>;
// Counts of pairs by owner, and then the place of each owner's next pair.
@group(0) @binding(13) var<storage, read_write> cursors: array<atomic<u32>>;
// x: the partner, until the pairs are sorted.
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;

// Per place, one row after the other: the number of partners that the first pass found, and the first of them.
@group(0) @binding(16) var<storage, read_write> partners: array<u32>;

const MOST_KEPT: u32 = 16u;

// Bodies of a row: a range of places, counted on beyond the last place where the buckets wrap.
struct Row {
  key: u32,
  first: u32,
  end: u32,
}

// Cells of a level that a body's partners can be in.
struct Cells {
  least: vec3i,
  counts: vec3u,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slot = invocationIndex(workgroupId, localIndex);
  let bodyCount = buckets[parameters.bucketMask + 1u];
  if (slot >= bodyCount) {
    return;
  }
  let body = sorted[slot];
  let number = body.body & ~IS_FIXED;
  let isWriting = parameters.isWriting != 0u;
  if (isWriting) {
    let kept = partners[slot];
    if (kept <= MOST_KEPT) {
      storeKept(number, slot, kept);
      return;
    }
  }
  let ownLevel = body.key & LEVEL_MASK;
  var found = 0u;
  var ownCount = 0u;
  // Levels from the body's own to that of the largest cells.
  for (var above = 0u; above <= ownLevel; above++) {
    let level = ownLevel - above;
    var cells: Cells;
    var rowCount = select(5u, 2u, IS_PLANAR);
    if (above != 0u) {
      cells = cellsAround(body, level);
      rowCount = cells.counts.y * cells.counts.z;
    }
    for (var i = 0u; i < rowCount; i++) {
      var row: Row;
      if (above == 0u) {
        row = ownRow(i, body.key, columns[number], slot, bodyCount);
      } else {
        let key = rowKey(cells.least.y + i32(i % cells.counts.y), cells.least.z + i32(i / cells.counts.y), level);
        row = rowFrom(key, bucketOf(key, u32(cells.least.x)), cells.counts.x, bodyCount);
      }
      // Few bodies of a row are partners: the loop over all of them does no more than the test.
      for (var first = row.first; first < row.end; first += 32u) {
        let end = min(first + 32u, row.end);
        var hits = 0u;
        for (var at = first; at < end; at++) {
          let other = sorted[wrapped(at, bodyCount)];
          hits |= select(0u, 1u << (at - first), (other.key == row.key) & isPair(body, other));
        }
        for (; hits != 0u; hits &= hits - 1u) {
          let other = sorted[wrapped(first + firstTrailingBit(hits), bodyCount)].body & ~IS_FIXED;
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
      let other = sorted[place].body & ~IS_FIXED;
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

// Counts partner number `found` of the body at `slot`, and keeps it. Returns what is to be added to the body's own count.
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
  let difference =
      positionDifference(body.body & ~IS_FIXED, body.position, other.body & ~IS_FIXED, other.position);
  return mayPair(body, other) & boxesMeet(difference, body.offset, body.half, other.offset, other.half);
}

fn isOverHalfspace(body: GridBody, halfspace: GridBody) -> bool {
  let difference =
      positionDifference(halfspace.body & ~IS_FIXED, halfspace.position, body.body & ~IS_FIXED, body.position);
  return mayPair(body, halfspace) & meetsHalfspace(
    difference, body.offset, body.half, halfspace.offset, halfspace.half.x, parameters.tolerance
  );
}

fn mayPair(body: GridBody, other: GridBody) -> bool {
  return ((body.body & other.body & IS_FIXED) == 0u) & groupsMeet(body.groups, other.groups);
}

// Row `i` of those that the body at `slot` searches in its own level.
fn ownRow(i: u32, key: u32, x: u32, slot: u32, bodyCount: u32) -> Row {
  if (i == 0u) {
    var row = rowFrom(key, bucketOf(key, x), 2u, bodyCount);
    row.first = slot + 1u;
    return row;
  }
  // The next row, and the three of the next layer.
  let y = select(i32(i) - 3, 1, i == 1u);
  let z = select(1, 0, i == 1u);
  let moved = movedKey(key, y, z);
  return rowFrom(moved, bucketOf(moved, x - 1u), 3u, bodyCount);
}

fn rowFrom(key: u32, bucket: u32, cellCount: u32, bodyCount: u32) -> Row {
  let first = bucket & parameters.bucketMask;
  let last = (first + cellCount - 1u) & parameters.bucketMask;
  let end = buckets[last + 1u];
  return Row(key, buckets[first], select(end, end + bodyCount, last < first));
}

// The cells of a level of larger bodies in which the least corners of those that meet this body are.
fn cellsAround(body: GridBody, level: u32) -> Cells {
  let origin = ~state[STATE_ORIGIN];
  let position = bitcast<vec3f>(
    vec3u(state[STATE_ORIGIN_POSITION], state[STATE_ORIGIN_POSITION + 1u], state[STATE_ORIGIN_POSITION + 2u])
  );
  let centre = positionDifference(origin, position, body.body & ~IS_FIXED, body.position) + body.offset;
  let perCell = 1.0 / bitcast<f32>(state[STATE_CELL_SIZES + level]);
  let rounding = PLACE_ROUNDING * (abs(centre) + body.half);
  let least = vec3i(floor((centre - body.half - rounding) * perCell - CELL_SLACK)) - vec3i(1);
  let greatest = vec3i(floor((centre + body.half + rounding) * perCell + CELL_SLACK));
  return Cells(least, vec3u(clamp(greatest - least + 1, vec3i(1), vec3i(3))));
}
