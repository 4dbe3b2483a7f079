// The best diagonal in a convex ring of corners in order.
//
// The widest quadrilateral with a given corner is found in n steps for each end of its diagonal from that corner: the
// farthest corners on both sides of the diagonal go around the ring as its end does, as the calipers of Shamos,
// "Computational Geometry" (1978).

import package::shared::constants::{MANIFOLD_LEAST_SHARE};
import package::corners::{CORNER_NOISE, NO_CORNER, cornerCount, cornerPlaces, rankOf};

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
  let place = cornerPlaces[start].xy;
  // Counted from the start.
  var before = 1u;
  var after = 2u;
  for (var end = 1u; end < cornerCount; end++) {
    let to = ringCorner(start, end);
    let base = cornerPlaces[to].xy - place;
    let noise = CORNER_NOISE * (abs(base.x) + abs(base.y));
    var area = 0.0;
    if (end > 1u) {
      var height = -areaBeside(base, place, ringCorner(start, before));
      var most = height;
      for (; before + 1u < end; before++) {
        let next = -areaBeside(base, place, ringCorner(start, before + 1u));
        if (next < height - noise) {
          break;
        }
        height = next;
        most = max(most, next);
      }
      area = most;
    }
    after = max(after, end + 1u);
    if (after < cornerCount) {
      var height = areaBeside(base, place, ringCorner(start, after));
      var most = height;
      for (; after + 1u < cornerCount; after++) {
        let next = areaBeside(base, place, ringCorner(start, after + 1u));
        if (next < height - noise) {
          break;
        }
        height = next;
        most = max(most, next);
      }
      area += most;
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
  let to = cornerPlaces[i].xy - place;
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
  // Once around for the widest area, then once for the corner.
  for (var step = 0u; step < 2u * cornerCount; step++) {
    let isSearch = step < cornerCount;
    if (step == cornerCount) {
      found.least = MANIFOLD_LEAST_SHARE * most;
    }
    let i = select(step - cornerCount, step, isSearch);
    if (cornerPlaces[i].w > lowest || (found.start != NO_CORNER && rankOf(i) > rankOf(found.start))) {
      continue;
    }
    let split = splitFrom(i, found.least);
    if (isSearch) {
      most = max(most, split.area);
      continue;
    }
    let isFirst = found.start == NO_CORNER || rankOf(i) < rankOf(found.start);
    if (split.end != NO_CORNER && (isFirst || split.area > foundArea)) {
      found.start = i;
      found.end = split.end;
      foundArea = split.area;
    }
  }
  return found;
}
