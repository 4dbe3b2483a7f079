// Of the corners of a contact region up to four that a contact can be held by: a deepest one, and those that span the widest area with it.
//
// The widest quadrilateral in a convex ring of n corners that has a given one is found in n steps for each end of its diagonal from there: the
// farthest corners on both sides of the diagonal go around the ring as its end does, as the calipers of Shamos, "Computational Geometry" (1978).
// Where several corners are equally deep, each is tried.
//
// What is chosen must not change with every tremble of the bodies, and there is no memory from frame to frame. So corners are as good as the
// deepest within a level, sets of four are as good as the widest within a share of its area, and of those that are as good the ranks of their
// names choose: symmetric faces are far from the borders of both.
//
// How many corners there is room for says the module that the kernel links as corners::capacity: few or many.

import package::corners::capacity::{MOST_CORNERS, HAS_MORE_CORNERS};
import package::shared::constants::{MANIFOLD_LEAST_SHARE};
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

// Corners nearer to each other than `same` are one: the deeper, with the lower id.
fn addCorner(place: vec4f, id: u32, name: u32, same: f32) {
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
  if (cornerCount == MOST_CORNERS) {
    if (!HAS_MORE_CORNERS) {
      return;
    }
    thinOut();
  }
  cornerPlaces[cornerCount] = place;
  cornerIds[cornerCount] = vec2u(id, name);
  cornerCount += 1u;
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

// Chooses up to four of the corners, of which there is one at least: the deepest of them first, the others by rank. A corner less than
// `level` less deep than the deepest is as good as that, and corners within `same` of one line or of each other have no area.
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
    return spreadOnLine(deepest, start, end, lowest, same);
  }
  if (cornerCount == 3u || (cornerCount == 4u && !isTriangleEnough())) {
    return ChosenCorners(cornerCount, vec4u(0u, 1u, 2u, 3u));
  }
  sortRing();
  return widestCorners(lowest);
}

fn farthestFrom(i: u32) -> u32 {
  let place = cornerPlaces[i].xy;
  var farthest = i;
  var most = 0.0;
  for (var k = 0u; k < cornerCount; k++) {
    let apart = cornerPlaces[k].xy - place;
    let reach = dot(apart, apart);
    if (reach > most) {
      most = reach;
      farthest = k;
    }
  }
  return farthest;
}

// Both ends of a line, and the deepest corner if that is neither.
fn spreadOnLine(deepest: u32, start: u32, end: u32, lowest: f32, same: f32) -> ChosenCorners {
  if (cornerPlaces[start].w < lowest || cornerPlaces[end].w < lowest) {
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

// Drops, of a full ring, one after the other the corner that takes the least area away, until half of it is left; never the deepest.
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

// What ties go by: lower first. Vertices come before crossings, which wander along edges that are nearly parallel. Among themselves they are
// in an order that has nothing to do with where they are: in order around the region it would be the one at the border of the tie, which
// a tremble takes out.
fn rankOf(i: u32) -> u32 {
  let name = cornerIds[i].y;
  return (name & 0xc0000000u) | ((name * 0x9e3779b9u) >> 2u);
}

// The widest area that a diagonal splits, and, of the other ends that split as much as is asked for, the one of the lowest rank.
struct Split {
  area: f32,
  end: u32,
}

// Tries all diagonals from a corner. The farthest corners on both sides of them go around the ring as they do: no corner is passed twice.
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

// Of a ring in order: of all sets of four that have one of the deep ones and nearly the widest area, the one whose ranks come first, that of
// the deep one, of the one opposite, and of those on the left and on the right of them. Three are taken where the fourth adds next to nothing.
fn widestCorners(lowest: f32) -> ChosenCorners {
  var most = 0.0;
  var least = 1e30;
  var start = NO_CORNER;
  var end = NO_CORNER;
  var startArea = 0.0;
  // Once around for the widest area, once for the corner.
  for (var step = 0u; step < 2u * cornerCount; step++) {
    let isSearch = step < cornerCount;
    if (step == cornerCount) {
      least = MANIFOLD_LEAST_SHARE * most;
    }
    let i = select(step - cornerCount, step, isSearch);
    if (cornerPlaces[i].w >= lowest || (start != NO_CORNER && rankOf(i) > rankOf(start))) {
      continue;
    }
    let split = splitFrom(i, least);
    if (isSearch) {
      most = max(most, split.area);
    } else if (split.end != NO_CORNER && (start == NO_CORNER || rankOf(i) < rankOf(start) || split.area > startArea)) {
      start = i;
      end = split.end;
      startArea = split.area;
    }
  }
  var chosen = ChosenCorners(2u, vec4u(start, end, 0u, 0u));
  var left = 0.0;
  var right = 0.0;
  for (var i = 0u; i < cornerCount; i++) {
    let area = twiceArea(start, end, i);
    left = max(left, area);
    right = max(right, -area);
  }
  // By rounding less than the same area above.
  let enough = min(least, left + right);
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

// Of the corners on one side that together with `rest`, the area on the other, are enough, the one of the lowest rank; none where `rest` is.
fn cornerBeside(start: u32, end: u32, turn: f32, rest: f32, enough: f32) -> u32 {
  var corner = NO_CORNER;
  var cornerArea = 0.0;
  if (rest >= enough) {
    return corner;
  }
  for (var i = 0u; i < cornerCount; i++) {
    let area = turn * twiceArea(start, end, i);
    if (rest + area >= enough && (corner == NO_CORNER || rankOf(i) < rankOf(corner) || (rankOf(i) == rankOf(corner) && area > cornerArea))) {
      corner = i;
      cornerArea = area;
    }
  }
  return corner;
}
