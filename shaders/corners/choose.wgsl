// Chooses up to four corners of a contact region that can hold a contact: a deepest corner, and the corners that span
// the widest area with it.
//
// The choice must not change with the slightest motion of the bodies, and there is no memory from frame to frame. So
// corners are as good as the deepest within a level, and sets of four are as good as the widest within a share of its
// area. Among the equally good, the ranks of names choose. Symmetric faces are far from the borders of both tolerances.

import package::shared::constants::{MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE};
import package::corners::{
  CORNER_NOISE, ChosenCorners, NO_CORNER, comesBefore, cornerCount, cornerIds, cornerPlaces, deepestCorner, rankOf,
  sortRing, twiceArea
};
import package::corners::ring::{diagonalOfRing};
import package::corners::widest-of-few::{Extent, FEW_CORNERS, extentOfFew, widestOfFew};

// Chooses up to four of the corners, of which there is at least one: the deepest of them first, the others by rank. A
// corner at most `level` less deep than the deepest is as good as the deepest, and corners within `same` of one line or
// of each other have no area. If the bodies are far apart, `level` is less than the rounding of a depth. So depths are
// compared by a sum that the deepest corner itself always satisfies.
fn chooseCorners(level: f32, same: f32) -> ChosenCorners {
  let deepest = deepestCorner();
  return deepestFirst(byRank(spreadCorners(deepest, cornerPlaces[deepest].w + level, same)));
}

const SLOTS = vec4u(0u, 1u, 2u, 3u);

// Sorts the corners by rank. Each one's place is the number of those that come before it.
fn byRank(chosen: ChosenCorners) -> ChosenCorners {
  var ranks = vec4u(NO_CORNER);
  var ids = vec4u(NO_CORNER);
  for (var k = 0u; k < 4u; k++) {
    if (k < chosen.count) {
      ranks[k] = rankOf(chosen.numbers[k]);
      ids[k] = cornerIds[chosen.numbers[k]].x;
    }
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
  var depth = cornerPlaces[chosen.numbers.x].w;
  for (var k = 1u; k < 4u; k++) {
    if (k < chosen.count) {
      let other = cornerPlaces[chosen.numbers[k]].w;
      let isDeeper = other < depth - CORNER_NOISE;
      first = select(first, k, isDeeper);
      depth = select(depth, other, isDeeper);
    }
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
  let start = farthestFrom(deepest);
  let end = farthestFrom(start);
  var extent = Extent(distance(cornerPlaces[start].xy, cornerPlaces[end].xy), 0.0);
  for (var i = 0u; i < cornerCount; i++) {
    extent.area = max(extent.area, abs(twiceArea(start, end, i)));
  }
  return extent;
}

// The farthest corner from corner i; of corners that are about as far, the one that comes first.
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
  // Starts at the corner that comes first: in a region hardly larger than a point, any corner may be an end.
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
  // The same area may be less than above by rounding.
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

// The corner of the lowest rank on one side of the diagonal whose area, with `rest` on the other side, is enough; none
// if `rest` alone is enough.
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
