// The widest corners of a few: all diagonals from deep corners are tried, with all corners side by side in vectors. So
// few corners need no order, and no mirror: corners/choose.ts sorts every list.

import package::shared::constants::{MANIFOLD_LEAST_SHARE};
import package::corners::{ChosenCorners, NO_CORNER, cornerCount, cornerDistances, cornerPlaces, rankOf};
import package::corners::ring::{Diagonal};

const FEW_CORNERS: u32 = 8u;

// A number per corner.
alias EightNumbers = mat2x4f;

// Twice the areas of the triangles of all corners over a base that starts at `place`, positive on its left.
fn areasBeside(base: vec2f, place: vec2f, u: EightNumbers, v: EightNumbers) -> EightNumbers {
  return EightNumbers(
    base.x * (v[0] - place.y) - base.y * (u[0] - place.x), base.x * (v[1] - place.y) - base.y * (u[1] - place.x)
  );
}

fn greatestOf(numbers: EightNumbers) -> f32 {
  let most = max(numbers[0], numbers[1]);
  return max(max(most.x, most.y), max(most.z, most.w));
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
  return Extent(distance(start, end), max(greatestOf(areas), greatestOf(-1.0 * areas)));
}

fn farthestOfFew(places: FewPlaces, place: vec2f) -> vec2f {
  let u0 = places.u[0] - place.x;
  let u1 = places.u[1] - place.x;
  let v0 = places.v[0] - place.y;
  let v1 = places.v[1] - place.y;
  let squares = EightNumbers(u0 * u0 + v0 * v0, u1 * u1 + v1 * v1);
  let most = vec4f(greatestOf(squares));
  let numbers = min(
    select(vec4u(NO_CORNER), vec4u(0u, 1u, 2u, 3u), squares[0] == most),
    select(vec4u(NO_CORNER), vec4u(4u, 5u, 6u, 7u), squares[1] == most)
  );
  let farthest = min(min(numbers.x, numbers.y), min(numbers.z, numbers.w));
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
        let area = greatestOf(areas) + greatestOf(-1.0 * areas);
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
  let right = greatestOf(-1.0 * areas);
  let enough = min(found.least, greatestOf(areas) + right);
  var chosen = ChosenCorners(2u, vec4u(found.start, found.end, 0u, 0u));
  let low = vec4u(rankOf(0u), rankOf(1u), rankOf(2u), rankOf(3u));
  let high = vec4u(rankOf(4u), rankOf(5u), rankOf(6u), rankOf(7u));
  let isThere = vec4u(4u, 5u, 6u, 7u) < vec4u(cornerCount);
  // On the left, then on the right.
  var rest = right;
  for (var k = 0u; k < 2u; k++) {
    if (rest < enough) {
      let beside = select(-1.0, 1.0, k == 0u) * areas;
      let isLow = vec4f(rest) + beside[0] >= vec4f(enough);
      let isHigh = isThere & (vec4f(rest) + beside[1] >= vec4f(enough));
      let ranksLow = select(vec4u(NO_CORNER), low, isLow);
      let ranksHigh = select(vec4u(NO_CORNER), high, isHigh);
      let both = min(ranksLow, ranksHigh);
      let least = min(min(both.x, both.y), min(both.z, both.w));
      let numbers = min(
        select(vec4u(NO_CORNER), vec4u(0u, 1u, 2u, 3u), isLow & (ranksLow == vec4u(least))),
        select(vec4u(NO_CORNER), vec4u(4u, 5u, 6u, 7u), isHigh & (ranksHigh == vec4u(least)))
      );
      let corner = min(min(numbers.x, numbers.y), min(numbers.z, numbers.w));
      rest = greatestOf(EightNumbers(
        select(vec4f(0.0), beside[0], vec4u(corner) == vec4u(0u, 1u, 2u, 3u)),
        select(vec4f(0.0), beside[1], vec4u(corner) == vec4u(4u, 5u, 6u, 7u)),
      ));
      chosen.numbers = select(chosen.numbers, vec4u(corner), vec4u(chosen.count) == vec4u(0u, 1u, 2u, 3u));
      chosen.count += 1u;
    } else {
      rest = 0.0;
    }
  }
  return chosen;
}
