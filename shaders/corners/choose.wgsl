// Chooses up to four corners of a contact region that can hold a contact: a deepest corner, and the corners that span
// the widest area with it.
//
// The choice must not change with the slightest motion of the bodies, and there is no memory from frame to frame. So
// corners are as good as the deepest within a level, and sets of four are as good as the widest within a share of its
// area. Among the equally good, the ranks of names choose. Symmetric faces are far from the borders of both tolerances.

import package::shared::constants::{MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE};
import package::corners::{
  CORNER_NOISE, ChosenCorners, NO_CORNER, comesBefore, cornerCount, cornerDistances, cornerIds, cornerPlaces,
  deepestCorner, idsOf, rankOf, sortRing, twiceArea
};
import package::corners::ring::{areaBeside, diagonalOfRing};
import package::corners::widest-of-few::{Extent, FEW_CORNERS, extentOfFew, widestOfFew};

// Chooses up to four of the corners, of which there is at least one: the deepest of them first, the others by rank. A
// corner at most `level` less deep than the deepest is as good as the deepest, and corners within `same` of one line or
// of each other have no area. If the bodies are far apart, `level` is less than the rounding of a depth. So depths are
// compared by a sum that the deepest corner itself always satisfies.
fn chooseCorners(level: f32, same: f32) -> ChosenCorners {
  let deepest = deepestCorner();
  return deepestFirst(byRank(spreadCorners(deepest, cornerDistances[deepest] + level, same)));
}

const SLOTS = vec4u(0u, 1u, 2u, 3u);

// Sorts the corners by rank. Each one's place is the number of those that come before it.
fn byRank(chosen: ChosenCorners) -> ChosenCorners {
  var ranks = vec4u(NO_CORNER);
  var ids = vec4u(NO_CORNER);
  for (var k = 0u; k < chosen.count; k++) {
    let corner = chosen.numbers[k];
    ranks[k] = rankOf(corner);
    ids[k] = cornerIds[corner];
  }
  var places = vec4u(0u);
  for (var k = 0u; k < 4u; k++) {
    let isAlike = (vec4u(ranks[k]) == ranks) & (vec4u(ids[k]) == ids);
    let isBefore = (vec4u(ranks[k]) < ranks) | ((vec4u(ranks[k]) == ranks) & (vec4u(ids[k]) < ids)) |
        (isAlike & (vec4u(k) < SLOTS));
    places += select(vec4u(0u), vec4u(1u), isBefore);
  }
  var numbers = vec4u(0u);
  for (var k = 0u; k < 4u; k++) {
    numbers = select(numbers, vec4u(chosen.numbers[k]), vec4u(places[k]) == SLOTS);
  }
  return ChosenCorners(chosen.count, numbers);
}

// Moves the deepest corner to the front.
fn deepestFirst(chosen: ChosenCorners) -> ChosenCorners {
  var first = 0u;
  var depth = 1e30;
  for (var k = 0u; k < chosen.count; k++) {
    let other = cornerDistances[chosen.numbers[k]];
    let isDeeper = k == 0u || other < depth - CORNER_NOISE;
    first = select(first, k, isDeeper);
    depth = select(depth, other, isDeeper);
  }
  var numbers = select(chosen.numbers, chosen.numbers.xxyz, SLOTS <= vec4u(first));
  numbers.x = chosen.numbers[first];
  return ChosenCorners(chosen.count, numbers);
}

fn spreadCorners(deepest: u32, lowest: f32, same: f32) -> ChosenCorners {
  if (cornerCount == 1u) {
    return ChosenCorners(1u, vec4u(deepest));
  }
  let extent = extentFrom(deepest);
  if (extent.length <= same) {
    return ChosenCorners(1u, vec4u(deepest));
  }
  if (extent.area <= same * extent.length) {
    return spreadOnLine(deepest, lowest, same);
  }
  if (cornerCount == 3u || (cornerCount == 4u && !isTriangleEnough())) {
    return ChosenCorners(cornerCount, vec4u(0u, 1u, 2u, 3u));
  }
  return widestCorners(lowest);
}

// How large the region is, measured from two corners that are nearly as far apart as any two.
fn extentFrom(deepest: u32) -> Extent {
  if (cornerCount <= FEW_CORNERS) {
    return extentOfFew(deepest);
  }
  let line = lineFrom(deepest);
  let base = line.end - line.start;
  var extent = Extent(distance(line.start, line.end), 0.0);
  for (var i = 0u; i < cornerCount; i++) {
    extent.area = max(extent.area, abs(areaBeside(base, line.start, i)));
  }
  return extent;
}

// Two corners that are about as far apart as any two, and their places.
struct CornerLine {
  numbers: vec2u,
  start: vec2f,
  end: vec2f,
}

// The farthest corner from corner i, and the farthest one from that; of corners that are about as far, the one that
// comes first.
fn lineFrom(i: u32) -> CornerLine {
  let first = cornerPlaces[i];
  var line = CornerLine(vec2u(i), first, first);
  // In a loop: compilers inline every call.
  for (var side = 0u; side < 2u; side++) {
    line.numbers.x = line.numbers.y;
    line.start = line.end;
    var ids = idsOf(line.numbers.x);
    var most = 0.0;
    for (var k = 0u; k < cornerCount; k++) {
      let other = cornerPlaces[k];
      let otherIds = idsOf(k);
      let apart = other - line.start;
      let square = dot(apart, apart);
      if (square > MANIFOLD_FAR_TIE * most || (square > most / MANIFOLD_FAR_TIE && comesBefore(otherIds, ids))) {
        most = square;
        line.numbers.y = k;
        line.end = other;
        ids = otherIds;
      }
    }
  }
  return line;
}

// Both ends of a line, and the deepest corner if that is neither.
fn spreadOnLine(deepest: u32, lowest: f32, same: f32) -> ChosenCorners {
  // Starts at the corner that comes first: in a region hardly larger than a point, any corner may be an end.
  var first = 0u;
  var ids = idsOf(0u);
  for (var i = 1u; i < cornerCount; i++) {
    let otherIds = idsOf(i);
    let isBefore = comesBefore(otherIds, ids);
    first = select(first, i, isBefore);
    ids = select(ids, otherIds, isBefore);
  }
  let line = lineFrom(first);
  let start = line.numbers.x;
  let end = line.numbers.y;
  if (cornerDistances[start] <= lowest || cornerDistances[end] <= lowest) {
    return ChosenCorners(2u, vec4u(start, end, 0u, 0u));
  }
  let place = cornerPlaces[deepest];
  let isStart = distance(line.start, place) > same;
  let isEnd = distance(line.end, place) > same;
  let count = 1u + select(0u, 1u, isStart) + select(0u, 1u, isEnd);
  return ChosenCorners(count, vec4u(deepest, select(end, start, isStart), end, 0u));
}

// Whether three of four corners span about as much area as all four. The four triangles cover the area twice.
fn isTriangleEnough() -> bool {
  let areas = abs(vec4f(twiceArea(0u, 1u, 2u), twiceArea(0u, 1u, 3u), twiceArea(0u, 2u, 3u), twiceArea(1u, 2u, 3u)));
  let greatest = max(max(areas.x, areas.y), max(areas.z, areas.w));
  return 2.0 * greatest >= MANIFOLD_LEAST_SHARE * dot(areas, vec4f(1.0));
}

// The set of four corners, one of them deep, with nearly the widest area that comes first by ranks: of the deep
// corner, of the opposite one, then of the corners on the left and on the right of their diagonal. Three corners are
// taken if the fourth adds next to nothing.
fn widestCorners(lowest: f32) -> ChosenCorners {
  if (cornerCount <= FEW_CORNERS) {
    return widestOfFew(lowest);
  }
  sortRing();
  let diagonal = diagonalOfRing(lowest);
  let place = cornerPlaces[diagonal.start];
  let base = cornerPlaces[diagonal.end] - place;
  var chosen = ChosenCorners(2u, vec4u(diagonal.start, diagonal.end, 0u, 0u));
  var left = 0.0;
  var right = 0.0;
  for (var i = 0u; i < cornerCount; i++) {
    let area = areaBeside(base, place, i);
    left = max(left, area);
    right = max(right, -area);
  }
  // The same area may be less than above by rounding.
  let enough = min(diagonal.least, left + right);
  // The left one, then the right.
  var rest = right;
  for (var k = 0u; k < 2u; k++) {
    let turn = select(-1.0, 1.0, k == 0u);
    let beside = cornerBeside(base, place, turn, rest, enough);
    let corner = beside.number;
    rest = beside.area;
    if (corner != NO_CORNER) {
      chosen.numbers = select(chosen.numbers, vec4u(corner), vec4u(chosen.count) == vec4u(0u, 1u, 2u, 3u));
      chosen.count += 1u;
    }
  }
  return chosen;
}

// A corner beside a diagonal, and twice the area of their triangle.
struct CornerBeside {
  number: u32,
  area: f32,
}

// The corner of the lowest rank on one side of the diagonal whose area, with `rest` on the other side, is enough; none
// if `rest` alone is enough.
fn cornerBeside(base: vec2f, place: vec2f, turn: f32, rest: f32, enough: f32) -> CornerBeside {
  var found = CornerBeside(NO_CORNER, 0.0);
  var foundRank = 0u;
  if (rest >= enough) {
    return found;
  }
  for (var i = 0u; i < cornerCount; i++) {
    let area = turn * areaBeside(base, place, i);
    let rank = rankOf(i);
    if (rest + area >= enough &&
        (found.number == NO_CORNER || rank < foundRank || (rank == foundRank && area > found.area))) {
      found = CornerBeside(i, area);
      foundRank = rank;
    }
  }
  return found;
}
