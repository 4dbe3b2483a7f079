// Of the corners of a contact region up to four that a contact can be held by: a deepest one, and those that span the
// widest area with it.
//
// The widest quadrilateral in a convex ring of n corners that has a given one is found in n steps for each end of its
// diagonal from there: the farthest corners on both sides of the diagonal go around the ring as its end does, as the
// calipers of Shamos, "Computational Geometry" (1978). Where several corners are equally deep, each is tried.
//
// What is chosen must not change with every tremble of the bodies, and there is no memory from frame to frame. So
// corners are as good as the deepest within a level, sets of four are as good as the widest within a share of its area,
// and of those that are as good the ranks of their names choose: symmetric faces are far from the borders of both.
//
// How many corners there is room for says the module that the kernel links as corners::capacity: few or many.

import package::corners::capacity::{MOST_CORNERS, HAS_MORE_CORNERS};
import package::shared::constants::{MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE};
import package::shared::math::{EPSILON};

// u, v, h of each corner, h on A's surface, and its distance along the normal to B's.
var<private> cornerPlaces: array<vec4f, MOST_CORNERS>;
// What each corner is, and by what it is known: see manifold.wgsl.
var<private> cornerIds: array<vec2u, MOST_CORNERS>;
var<private> cornerCount: u32;

// Heights and areas of what is level or grows: less is rounding.
const CORNER_NOISE: f32 = 2.0 * EPSILON;
const NO_CORNER: u32 = 0xffffffffu;

// Numbers of up to four corners.
struct ChosenCorners {
  count: u32,
  numbers: vec4u,
}

// Corners nearer to each other than `same`, if that is not 0, are one: the deeper, with the lower id.
fn addCorner(place: vec4f, id: u32, name: u32, same: f32) {
  if (same > 0.0) {
    for (var i = 0u; i < cornerCount; i++) {
      let other = cornerPlaces[i];
      let apart = other.xy - place.xy;
      if (dot(apart, apart) <= same * same) {
        if (place.w < other.w - CORNER_NOISE) {
          cornerPlaces[i] = place;
        }
        if (id < cornerIds[i].x) {
          cornerIds[i] = vec2u(id, name);
        }
        return;
      }
    }
  }
  if (HAS_MORE_CORNERS && cornerCount == MOST_CORNERS) {
    thinOut();
  }
  let last = min(cornerCount, MOST_CORNERS - 1u);
  cornerPlaces[last] = place;
  cornerIds[last] = vec2u(id, name);
  cornerCount = last + 1u;
}

// Adds a corner unless it is too far apart.
fn offerCorner(place: vec4f, id: u32, name: u32, maxDistance: f32, same: f32) {
  if (place.w <= maxDistance) {
    addCorner(place, id, name, same);
  }
}

fn removeCorner(i: u32) {
  cornerCount -= 1u;
  cornerPlaces[i] = cornerPlaces[cornerCount];
  cornerIds[i] = cornerIds[cornerCount];
}

fn deepestCorner() -> u32 {
  var deepest = 0u;
  var depth = cornerPlaces[0].w;
  for (var i = 1u; i < cornerCount; i++) {
    if (cornerPlaces[i].w < depth) {
      depth = cornerPlaces[i].w;
      deepest = i;
    }
  }
  return deepest;
}

// Chooses up to four of the corners, of which there is one at least: the deepest of them first, the others by rank. A
// corner at most `level` less deep than the deepest is as good as that, and corners within `same` of one line or of
// each other have no area. Far apart a pair's `level` is less than the rounding of a depth: what is as good as the
// deepest is compared so that the deepest itself always is.
fn chooseCorners(level: f32, same: f32) -> ChosenCorners {
  let deepest = deepestCorner();
  let chosen = spreadCorners(deepest, cornerPlaces[deepest].w + level, same);
  var numbers = chosen.numbers;
  for (var k = 1u; k < chosen.count; k++) {
    let number = numbers[k];
    var to = k;
    for (; to > 0u; to--) {
      if (!comesBefore(number, numbers[to - 1u])) {
        break;
      }
      numbers[to] = numbers[to - 1u];
    }
    numbers[to] = number;
  }
  var first = 0u;
  for (var k = 1u; k < chosen.count; k++) {
    if (cornerPlaces[numbers[k]].w < cornerPlaces[numbers[first]].w - CORNER_NOISE) {
      first = k;
    }
  }
  let number = numbers[first];
  for (; first > 0u; first--) {
    numbers[first] = numbers[first - 1u];
  }
  numbers[0] = number;
  return ChosenCorners(chosen.count, numbers);
}

fn comesBefore(a: u32, b: u32) -> bool {
  return rankOf(a) < rankOf(b) || (rankOf(a) == rankOf(b) && cornerIds[a].x < cornerIds[b].x);
}

fn spreadCorners(deepest: u32, lowest: f32, same: f32) -> ChosenCorners {
  if (cornerCount == 1u) {
    return ChosenCorners(1u, vec4u(deepest));
  }
  // Two that are nearly as far apart as any.
  let start = farthestFrom(deepest);
  let end = farthestFrom(start);
  let size = distance(cornerPlaces[start].xy, cornerPlaces[end].xy);
  if (size <= same) {
    return ChosenCorners(1u, vec4u(deepest));
  }
  var width = 0.0;
  for (var i = 0u; i < cornerCount; i++) {
    width = max(width, abs(twiceArea(start, end, i)));
  }
  if (width <= same * size) {
    return spreadOnLine(deepest, lowest, same);
  }
  if (cornerCount == 3u || (cornerCount == 4u && !isTriangleEnough())) {
    return ChosenCorners(cornerCount, vec4u(0u, 1u, 2u, 3u));
  }
  return widestCorners(lowest);
}

// Of corners about as far the one that comes first.
fn farthestFrom(i: u32) -> u32 {
  let place = cornerPlaces[i].xy;
  var farthest = i;
  var most = 0.0;
  for (var k = 0u; k < cornerCount; k++) {
    let apart = cornerPlaces[k].xy - place;
    let square = dot(apart, apart);
    if (square > MANIFOLD_FAR_TIE * most || (square > most / MANIFOLD_FAR_TIE && comesBefore(k, farthest))) {
      most = square;
      farthest = k;
    }
  }
  return farthest;
}

// Both ends of a line, and the deepest corner if that is neither.
fn spreadOnLine(deepest: u32, lowest: f32, same: f32) -> ChosenCorners {
  // From the corner that comes first: of a region hardly larger than a point any may be an end.
  var first = 0u;
  for (var i = 1u; i < cornerCount; i++) {
    first = select(first, i, comesBefore(i, first));
  }
  let start = farthestFrom(first);
  let end = farthestFrom(start);
  if (cornerPlaces[start].w <= lowest || cornerPlaces[end].w <= lowest) {
    return ChosenCorners(2u, vec4u(start, end, 0u, 0u));
  }
  let place = cornerPlaces[deepest].xy;
  let isStart = distance(cornerPlaces[start].xy, place) > same;
  let isEnd = distance(cornerPlaces[end].xy, place) > same;
  return ChosenCorners(1u + select(0u, 1u, isStart) + select(0u, 1u, isEnd), vec4u(deepest, select(end, start, isStart), end, 0u));
}

// Twice the area of a triangle of corners, negative where it goes around clockwise.
fn twiceArea(a: u32, b: u32, c: u32) -> f32 {
  let place = cornerPlaces[a].xy;
  let p = cornerPlaces[b].xy - place;
  let q = cornerPlaces[c].xy - place;
  return p.x * q.y - p.y * q.x;
}

// Whether of four corners three span about as much as all; the triangles that they make cover what they span twice.
fn isTriangleEnough() -> bool {
  let areas = abs(vec4f(twiceArea(0u, 1u, 2u), twiceArea(0u, 1u, 3u), twiceArea(0u, 2u, 3u), twiceArea(1u, 2u, 3u)));
  let greatest = max(max(areas.x, areas.y), max(areas.z, areas.w));
  return 2.0 * greatest >= MANIFOLD_LEAST_SHARE * dot(areas, vec4f(1.0));
}

// Puts the corners in order counter-clockwise around their mean.
fn sortRing() {
  var mean = vec2f(0.0);
  for (var i = 0u; i < cornerCount; i++) {
    mean += cornerPlaces[i].xy;
  }
  mean /= f32(cornerCount);
  for (var i = 1u; i < cornerCount; i++) {
    let place = cornerPlaces[i];
    let ids = cornerIds[i];
    let turn = turnOf(place.xy - mean);
    var to = i;
    for (; to > 0u; to--) {
      if (turnOf(cornerPlaces[to - 1u].xy - mean) <= turn) {
        break;
      }
      cornerPlaces[to] = cornerPlaces[to - 1u];
      cornerIds[to] = cornerIds[to - 1u];
    }
    cornerPlaces[to] = place;
    cornerIds[to] = ids;
  }
}

// Grows with the angle of a vector, from -1 to 3.
fn turnOf(v: vec2f) -> f32 {
  let part = v.x / max(abs(v.x) + abs(v.y), 1e-30);
  return select(2.0 - part, part, v.y < 0.0);
}

// Drops, of a full ring, one after the other the corner that takes the least area away, until half of it is left; never
// the deepest.
fn thinOut() {
  sortRing();
  for (; cornerCount > MOST_CORNERS / 2u; cornerCount--) {
    let deepest = deepestCorner();
    var least = 1e30;
    var dropped = 0u;
    for (var i = 0u; i < cornerCount; i++) {
      let area = abs(twiceArea(select(i - 1u, cornerCount - 1u, i == 0u), i, select(i + 1u, 0u, i + 1u == cornerCount)));
      if (i != deepest && area < least) {
        least = area;
        dropped = i;
      }
    }
    for (var i = dropped; i + 1u < cornerCount; i++) {
      cornerPlaces[i] = cornerPlaces[i + 1u];
      cornerIds[i] = cornerIds[i + 1u];
    }
  }
}

// What ties go by: lower first. Vertices come before crossings, which wander along edges that are nearly parallel.
// Among themselves they are in an order that has nothing to do with where they are: in order around the region it would
// be the one at the border of the tie, which a tremble takes out.
fn rankOf(i: u32) -> u32 {
  let name = cornerIds[i].y;
  return (name & 0xc0000000u) | ((name * 0x9e3779b9u) >> 2u);
}

// The widest area that a diagonal splits, and, of the other ends that split as much as is asked for, the one of the
// lowest rank.
struct Split {
  area: f32,
  end: u32,
}

// Tries all diagonals from a corner. The farthest corners on both sides of them go around the ring as they do: no
// corner is passed twice.
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

// So many corners on from one.
fn ringCorner(start: u32, steps: u32) -> u32 {
  let i = start + steps;
  return select(i, i - cornerCount, i >= cornerCount);
}

// Twice the area of the triangle of a corner over a base that starts at `place`, positive on its left.
fn areaBeside(base: vec2f, place: vec2f, i: u32) -> f32 {
  let to = cornerPlaces[i].xy - place;
  return base.x * to.y - base.y * to.x;
}

// The diagonal that is chosen from a corner, and twice the area that is enough for it.
struct Diagonal {
  start: u32,
  end: u32,
  least: f32,
}

// Of a ring in order: of all diagonals from one of the deep ones that split nearly the widest area the one whose ends'
// ranks come first.
fn diagonalOfRing(lowest: f32) -> Diagonal {
  var most = 0.0;
  var found = Diagonal(NO_CORNER, NO_CORNER, 1e30);
  var foundArea = 0.0;
  // Once around for the widest area, once for the corner.
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
    } else if (split.end != NO_CORNER && (found.start == NO_CORNER || rankOf(i) < rankOf(found.start) || split.area > foundArea)) {
      found.start = i;
      found.end = split.end;
      foundArea = split.area;
    }
  }
  return found;
}

// Corners that are compared all with all, side by side in vectors: so few need no order.
const FEW_CORNERS: u32 = 8u;

// Up to eight numbers, of a corner each.
alias EightNumbers = mat2x4f;

// Twice the areas of the triangles of all corners over a base from `place`, positive on its left.
fn areasBeside(base: vec2f, place: vec2f, u: EightNumbers, v: EightNumbers) -> EightNumbers {
  return EightNumbers(base.x * (v[0] - place.y) - base.y * (u[0] - place.x), base.x * (v[1] - place.y) - base.y * (u[1] - place.x));
}

fn greatestOf(numbers: EightNumbers) -> f32 {
  let most = max(numbers[0], numbers[1]);
  return max(max(most.x, most.y), max(most.z, most.w));
}

// The same of few corners in any order.
fn widestOfFew(lowest: f32) -> ChosenCorners {
  // Those that there are not lie on the first.
  let p0 = cornerPlaces[0].xy;
  let p4 = select(p0, cornerPlaces[4].xy, cornerCount > 4u);
  let p5 = select(p0, cornerPlaces[5].xy, cornerCount > 5u);
  let p6 = select(p0, cornerPlaces[6].xy, cornerCount > 6u);
  let p7 = select(p0, cornerPlaces[7].xy, cornerCount > 7u);
  let u = EightNumbers(vec4f(p0.x, cornerPlaces[1].x, cornerPlaces[2].x, cornerPlaces[3].x), vec4f(p4.x, p5.x, p6.x, p7.x));
  let v = EightNumbers(vec4f(p0.y, cornerPlaces[1].y, cornerPlaces[2].y, cornerPlaces[3].y), vec4f(p4.y, p5.y, p6.y, p7.y));
  var most = 0.0;
  var found = Diagonal(NO_CORNER, NO_CORNER, 1e30);
  var ranks = vec2u(NO_CORNER);
  var foundArea = 0.0;
  for (var round = 0u; round < 2u; round++) {
    for (var i = 0u; i < cornerCount; i++) {
      let start = cornerPlaces[i];
      for (var k = i + 1u; k < cornerCount; k++) {
        let end = cornerPlaces[k];
        if (min(start.w, end.w) > lowest) {
          continue;
        }
        let areas = areasBeside(end.xy - start.xy, start.xy, u, v);
        let area = greatestOf(areas) + greatestOf(-1.0 * areas);
        if (round == 0u) {
          most = max(most, area);
        } else if (area >= found.least) {
          let ranksHere = vec2u(rankOf(i), rankOf(k));
          // From the end that is deep, of two deep ones from the one that comes first.
          let isTurned = start.w > lowest || (end.w <= lowest && ranksHere.y < ranksHere.x);
          let inOrder = select(ranksHere, ranksHere.yx, isTurned);
          if (inOrder.x < ranks.x || (inOrder.x == ranks.x && (inOrder.y < ranks.y || (inOrder.y == ranks.y && area > foundArea)))) {
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
  let areas = areasBeside(cornerPlaces[found.end].xy - start.xy, start.xy, u, v);
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

// Of all sets of four that have one of the deep ones and nearly the widest area, the one whose ranks come first: that
// of the deep one, of the one opposite, and of those on the left and on the right of them. Three are taken where the
// fourth adds next to nothing.
fn widestCorners(lowest: f32) -> ChosenCorners {
  if (cornerCount <= FEW_CORNERS) {
    return widestOfFew(lowest);
  }
  sortRing();
  let diagonal = diagonalOfRing(lowest);
  let start = diagonal.start;
  let end = diagonal.end;
  var chosen = ChosenCorners(2u, vec4u(start, end, 0u, 0u));
  var left = 0.0;
  var right = 0.0;
  for (var i = 0u; i < cornerCount; i++) {
    let area = twiceArea(start, end, i);
    left = max(left, area);
    right = max(right, -area);
  }
  // By rounding less than the same area above.
  let enough = min(diagonal.least, left + right);
  // The left one, then the right.
  var rest = right;
  for (var k = 0u; k < 2u; k++) {
    let turn = select(-1.0, 1.0, k == 0u);
    let corner = cornerBeside(start, end, turn, rest, enough);
    rest = 0.0;
    if (corner != NO_CORNER) {
      rest = turn * twiceArea(start, end, corner);
      chosen.numbers = select(chosen.numbers, vec4u(corner), vec4u(chosen.count) == vec4u(0u, 1u, 2u, 3u));
      chosen.count += 1u;
    }
  }
  return chosen;
}

// Of the corners on one side that together with `rest`, the area on the other, are enough, the one of the lowest rank;
// none where `rest` is.
fn cornerBeside(start: u32, end: u32, turn: f32, rest: f32, enough: f32) -> u32 {
  var corner = NO_CORNER;
  var cornerArea = 0.0;
  if (rest >= enough) {
    return corner;
  }
  for (var i = 0u; i < cornerCount; i++) {
    let area = turn * twiceArea(start, end, i);
    if (rest + area >= enough &&
        (corner == NO_CORNER || rankOf(i) < rankOf(corner) || (rankOf(i) == rankOf(corner) && area > cornerArea))) {
      corner = i;
      cornerArea = area;
    }
  }
  return corner;
}
