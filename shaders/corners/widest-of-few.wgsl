// The widest corners of a few: all diagonals from deep corners are tried, with all corners side by side in vectors. So
// few corners need no order, and no mirror: corners/choose.ts sorts every list.

import package::shared::constants::{MANIFOLD_LEAST_SHARE};
import package::corners::{ChosenCorners, NO_CORNER, cornerCount, cornerDistances, cornerPlaces, rankOf};
import package::corners::eight::{EightNumbers, HIGH_SLOTS, LOW_SLOTS, greatestOf, leastOf, leastOfFour, numberIn};
import package::corners::ring::{Diagonal};

const FEW_CORNERS: u32 = 8u;

// Twice the areas of the triangles of all corners over a base that starts at `place`, positive on its left.
fn areasBeside(base: vec2f, place: vec2f, u: EightNumbers, v: EightNumbers) -> EightNumbers {
  return EightNumbers(
    base.x * (v.low - place.y) - base.y * (u.low - place.x), base.x * (v.high - place.y) - base.y * (u.high - place.x)
  );
}

struct FewPlaces {
  u: EightNumbers,
  v: EightNumbers,
}

// The places of up to FEW_CORNERS corners; beyond the last one, that of the first.
fn fewPlaces() -> FewPlaces {
  let p0 = cornerPlaces[0];
  let p1 = select(p0, cornerPlaces[1], cornerCount > 1u);
  let p2 = select(p0, cornerPlaces[2], cornerCount > 2u);
  let p3 = select(p0, cornerPlaces[3], cornerCount > 3u);
  let p4 = select(p0, cornerPlaces[4], cornerCount > 4u);
  let p5 = select(p0, cornerPlaces[5], cornerCount > 5u);
  let p6 = select(p0, cornerPlaces[6], cornerCount > 6u);
  let p7 = select(p0, cornerPlaces[7], cornerCount > 7u);
  return FewPlaces(
    EightNumbers(vec4f(p0.x, p1.x, p2.x, p3.x), vec4f(p4.x, p5.x, p6.x, p7.x)),
    EightNumbers(vec4f(p0.y, p1.y, p2.y, p3.y), vec4f(p4.y, p5.y, p6.y, p7.y)),
  );
}

// How large a region is: the length of nearly the longest line in it, and twice the largest area over that line.
struct Extent {
  length: f32,
  area: f32,
}

// The extent of up to FEW_CORNERS corners: see extentFrom.
fn extentOfFew(deepest: u32) -> Extent {
  let places = fewPlaces();
  let start = farthestOfFew(places, cornerPlaces[deepest]);
  let end = farthestOfFew(places, start);
  let areas = areasBeside(end - start, start, places.u, places.v);
  return Extent(distance(start, end), max(greatestOf(areas), -leastOf(areas)));
}

fn farthestOfFew(places: FewPlaces, place: vec2f) -> vec2f {
  let u = EightNumbers(places.u.low - place.x, places.u.high - place.x);
  let v = EightNumbers(places.v.low - place.y, places.v.high - place.y);
  let squares = EightNumbers(u.low * u.low + v.low * v.low, u.high * u.high + v.high * v.high);
  let most = vec4f(greatestOf(squares));
  let farthest = leastOfFour(min(
    select(vec4u(NO_CORNER), LOW_SLOTS, squares.low == most), select(vec4u(NO_CORNER), HIGH_SLOTS, squares.high == most)
  ));
  // A number that is not finite equals nothing.
  return cornerPlaces[min(farthest, cornerCount - 1u)];
}

// Chooses among up to FEW_CORNERS corners in any order: see widestCorners.
fn widestOfFew(lowest: f32) -> ChosenCorners {
  let places = fewPlaces();
  let u = places.u;
  let v = places.v;
  var deep = 0u;
  for (var i = 0u; i < cornerCount; i++) {
    deep |= select(0u, 1u, cornerDistances[i] <= lowest) << i;
  }
  var most = 0.0;
  var found = Diagonal(NO_CORNER, NO_CORNER, 1e30);
  var ranks = vec2u(NO_CORNER);
  var foundArea = 0.0;
  for (var round = 0u; round < 2u; round++) {
    // The deep corners one by one: invocations side by side have others, but about as many.
    for (var left = deep; left != 0u; left &= left - 1u) {
      let i = firstTrailingBit(left);
      for (var k = 0u; k < cornerCount; k++) {
        // If both are deep, the diagonal has been tried from the other end.
        if (k == i || (k < i && ((deep >> k) & 1u) == 1u)) {
          continue;
        }
        let start = cornerPlaces[min(i, k)];
        let end = cornerPlaces[max(i, k)];
        let areas = areasBeside(end - start, start, u, v);
        let area = greatestOf(areas) - leastOf(areas);
        if (round == 0u) {
          most = max(most, area);
        } else if (area >= found.least) {
          let ranksHere = vec2u(rankOf(i), rankOf(k));
          // From the deep end; from the end of lower rank, if both are deep.
          let isTurned = ((deep >> k) & 1u) == 1u && ranksHere.y < ranksHere.x;
          let inOrder = select(ranksHere, ranksHere.yx, isTurned);
          let isBetterEnd = inOrder.y < ranks.y || (inOrder.y == ranks.y && area > foundArea);
          if (inOrder.x < ranks.x || (inOrder.x == ranks.x && isBetterEnd)) {
            ranks = inOrder;
            found.start = select(i, k, isTurned);
            found.end = select(k, i, isTurned);
            foundArea = area;
          }
        }
      }
    }
    if (round == 0u) {
      found.least = MANIFOLD_LEAST_SHARE * most;
    }
  }
  let start = cornerPlaces[found.start];
  let areas = areasBeside(cornerPlaces[found.end] - start, start, u, v);
  let right = -leastOf(areas);
  let enough = min(found.least, greatestOf(areas) + right);
  var chosen = ChosenCorners(2u, vec4u(found.start, found.end, 0u, 0u));
  let low = vec4u(rankOf(0u), rankOf(1u), rankOf(2u), rankOf(3u));
  let high = vec4u(rankOf(4u), rankOf(5u), rankOf(6u), rankOf(7u));
  let isThere = HIGH_SLOTS < vec4u(cornerCount);
  // On the left, then on the right.
  var beside = areas;
  var rest = right;
  for (var k = 0u; k < 2u; k++) {
    if (rest < enough) {
      let isLow = vec4f(rest) + beside.low >= vec4f(enough);
      let isHigh = isThere & (vec4f(rest) + beside.high >= vec4f(enough));
      let ranksLow = select(vec4u(NO_CORNER), low, isLow);
      let ranksHigh = select(vec4u(NO_CORNER), high, isHigh);
      let least = leastOfFour(min(ranksLow, ranksHigh));
      let corner = leastOfFour(min(
        select(vec4u(NO_CORNER), LOW_SLOTS, isLow & (ranksLow == vec4u(least))),
        select(vec4u(NO_CORNER), HIGH_SLOTS, isHigh & (ranksHigh == vec4u(least)))
      ));
      rest = numberIn(beside, corner);
      chosen.numbers = select(chosen.numbers, vec4u(corner), vec4u(chosen.count) == vec4u(0u, 1u, 2u, 3u));
      chosen.count += 1u;
    } else {
      rest = 0.0;
    }
    beside = EightNumbers(-beside.low, -beside.high);
  }
  return chosen;
}
