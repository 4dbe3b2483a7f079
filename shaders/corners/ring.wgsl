// The best diagonal in a convex ring of corners in order.
//
// The widest quadrilateral with a given corner is found in n steps for each end of its diagonal from that corner: the
// farthest corners on both sides of the diagonal go around the ring as its end does, as the calipers of Shamos,
// "Computational Geometry" (1978).

import package::shared::constants::{MANIFOLD_LEAST_SHARE};
import package::corners::{CORNER_NOISE, NO_CORNER, cornerCount, cornerDistances, cornerPlaces, rankOf};

// The widest area that a diagonal from a corner splits. Of the diagonals that split at least a certain area, the end of
// the lowest rank.
struct Split {
  area: f32,
  end: u32,
}

// Tries all diagonals from a corner. The farthest corners on both sides of a diagonal go around the ring with its end,
// so no corner is passed twice. `least` is the area that an end has to split.
//
//            end
//         o---o---o  after
//        /   /     \
//       o   /       o
//  before\ /       /
//         o---o---o
//        start
fn splitFrom(start: u32, least: f32) -> Split {
  var found = Split(0.0, NO_CORNER);
  var foundArea = 0.0;
  var foundRank = 0u;
  let place = cornerPlaces[start];
  // Counted from the start.
  var before = 1u;
  var after = 2u;
  for (var end = 1u; end < cornerCount; end++) {
    let to = ringCorner(start, end);
    let base = cornerPlaces[to] - place;
    let noise = CORNER_NOISE * (abs(base.x) + abs(base.y));
    var area = 0.0;
    // Before the end, then after it. In a loop: compilers inline every call.
    after = max(after, end + 1u);
    for (var side = 0u; side < 2u; side++) {
      let turn = select(1.0, -1.0, side == 0u);
      let first = select(after, before, side == 0u);
      let limit = select(cornerCount, end, side == 0u);
      var last = first;
      var height = -1e30;
      var most = -1e30;
      for (var at = first; at < limit; at++) {
        let next = turn * areaBeside(base, place, ringCorner(start, at));
        if (at > first && next < height - noise) {
          break;
        }
        height = next;
        most = max(most, next);
        last = at;
      }
      area += select(0.0, most, first < limit);
      before = select(before, last, side == 0u);
      after = select(last, after, side == 0u);
    }
    found.area = max(found.area, area);
    if (area >= least) {
      let rank = rankOf(to);
      if (found.end == NO_CORNER || rank < foundRank || (rank == foundRank && area > foundArea)) {
        found.end = to;
        foundArea = area;
        foundRank = rank;
      }
    }
  }
  return found;
}

// The corner `steps` on from `start`.
fn ringCorner(start: u32, steps: u32) -> u32 {
  let i = start + steps;
  return select(i, i - cornerCount, i >= cornerCount);
}

// Twice the area of the triangle of a corner over a base that starts at `place`, positive on its left.
fn areaBeside(base: vec2f, place: vec2f, i: u32) -> f32 {
  let to = cornerPlaces[i] - place;
  return base.x * to.y - base.y * to.x;
}

// The diagonal that is chosen, and twice the area that is enough for it.
struct Diagonal {
  start: u32,
  end: u32,
  least: f32,
}

// Of all diagonals from a deep corner that split nearly the widest area, the diagonal whose ends come first by rank.
fn diagonalOfRing(lowest: f32) -> Diagonal {
  var most = 0.0;
  var found = Diagonal(NO_CORNER, NO_CORNER, 1e30);
  var foundArea = 0.0;
  var foundRank = NO_CORNER;
  // Once around for the widest area, then once for the corner.
  for (var step = 0u; step < 2u * cornerCount; step++) {
    let isSearch = step < cornerCount;
    if (step == cornerCount) {
      found.least = MANIFOLD_LEAST_SHARE * most;
    }
    let i = select(step - cornerCount, step, isSearch);
    let rank = rankOf(i);
    if (cornerDistances[i] > lowest || rank > foundRank) {
      continue;
    }
    let split = splitFrom(i, found.least);
    if (isSearch) {
      most = max(most, split.area);
      continue;
    }
    let isFirst = found.start == NO_CORNER || rank < foundRank;
    if (split.end != NO_CORNER && (isFirst || split.area > foundArea)) {
      foundRank = rank;
      found.start = i;
      found.end = split.end;
      foundArea = split.area;
    }
  }
  return found;
}
