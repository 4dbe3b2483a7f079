// Corners of a contact region: a list in private variables, from which corners/choose.wgsl chooses. If the list is
// full, the corners that enclose the least area are dropped.

import package::shared::constants::{MANIFOLD_MOST_CORNERS, MANIFOLD_NOISE_ULPS};
import package::shared::math::{EPSILON};
import package::manifold::ids::{MANIFOLD_RANK_FACTOR};

// u and v of each corner, its h on A's surface, and its distance along the normal to B's. Few steps need all of them.
// On software adapters, code that reads one of several small arrays compiles faster than code that reads elements of a
// large one.
var<private> cornerPlaces: array<vec2f, MANIFOLD_MOST_CORNERS>;
var<private> cornerHeights: array<f32, MANIFOLD_MOST_CORNERS>;
var<private> cornerDistances: array<f32, MANIFOLD_MOST_CORNERS>;
// Id (what the corner is) and name (what it is known by) of each corner: see manifold.wgsl.
var<private> cornerIds: array<u32, MANIFOLD_MOST_CORNERS>;
var<private> cornerNames: array<u32, MANIFOLD_MOST_CORNERS>;
var<private> cornerCount: u32;

const CORNER_NOISE: f32 = MANIFOLD_NOISE_ULPS * EPSILON;
const NO_CORNER: u32 = 0xffffffffu;

// A copy of a corner: u, v, h and the distance, and its id and name.
struct Corner {
  place: vec4f,
  ids: vec2u,
}

fn cornerAt(i: u32) -> Corner {
  return Corner(
    vec4f(cornerPlaces[i], cornerHeights[i], cornerDistances[i]), idsOf(i)
  );
}

fn setCorner(i: u32, corner: Corner) {
  cornerPlaces[i] = corner.place.xy;
  cornerHeights[i] = corner.place.z;
  cornerDistances[i] = corner.place.w;
  cornerIds[i] = corner.ids.x;
  cornerNames[i] = corner.ids.y;
}

// The numbers of up to four corners.
struct ChosenCorners {
  count: u32,
  numbers: vec4u,
}

// Makes room for the corners of an edge, at most three, and for one more that may come after all edges.
fn makeRoom() {
  if (cornerCount + 4u > MANIFOLD_MOST_CORNERS) {
    thinOut();
  }
}

// Adds a corner. Corners nearer to each other than `same`, if that is not 0, are merged: the lower id, and the place of
// the deeper one. If both are equally deep it is the place of the lower id, whichever came first, so that a vertex
// beside a crossing keeps its place.
fn addCorner(place: vec4f, id: u32, name: u32, same: f32) {
  var at = min(cornerCount, MANIFOLD_MOST_CORNERS - 1u);
  var corner = Corner(place, vec2u(id, name));
  if (same > 0.0) {
    for (var i = 0u; i < cornerCount; i++) {
      let apart = cornerPlaces[i] - place.xy;
      if (dot(apart, apart) <= same * same) {
        let other = cornerAt(i);
        let isLower = id < other.ids.x;
        let isPlace = place.w < other.place.w - CORNER_NOISE || (isLower && place.w <= other.place.w + CORNER_NOISE);
        corner.place = select(other.place, place, isPlace);
        corner.ids = select(other.ids, corner.ids, isLower);
        at = i;
        break;
      }
    }
  }
  setCorner(at, corner);
  cornerCount = max(cornerCount, at + 1u);
}

// Adds a corner unless the bodies are more than `maxDistance` apart there.
fn offerCorner(place: vec4f, id: u32, name: u32, maxDistance: f32, same: f32) {
  if (place.w <= maxDistance) {
    addCorner(place, id, name, same);
  }
}

fn removeCorner(i: u32) {
  cornerCount -= 1u;
  setCorner(i, cornerAt(cornerCount));
}

fn deepestCorner() -> u32 {
  var deepest = 0u;
  var depth = cornerDistances[0];
  for (var i = 1u; i < cornerCount; i++) {
    let other = cornerDistances[i];
    if (other < depth) {
      depth = other;
      deepest = i;
    }
  }
  return deepest;
}

// Twice the area of a triangle of corners, negative if they are in clockwise order.
fn twiceArea(a: u32, b: u32, c: u32) -> f32 {
  let place = cornerPlaces[a];
  let p = cornerPlaces[b] - place;
  let q = cornerPlaces[c] - place;
  return p.x * q.y - p.y * q.x;
}

// Sorts the corners counter-clockwise around their mean.
fn sortRing() {
  var mean = vec2f(0.0);
  for (var i = 0u; i < cornerCount; i++) {
    mean += cornerPlaces[i];
  }
  mean /= f32(cornerCount);
  for (var i = 1u; i < cornerCount; i++) {
    let corner = cornerAt(i);
    let turn = turnOf(corner.place.xy - mean);
    var to = i;
    for (; to > 0u; to--) {
      let other = cornerAt(to - 1u);
      if (turnOf(other.place.xy - mean) <= turn) {
        break;
      }
      setCorner(to, other);
    }
    setCorner(to, corner);
  }
}

// A number that grows with the angle of a vector, from -1 to 3.
fn turnOf(v: vec2f) -> f32 {
  let part = v.x / max(abs(v.x) + abs(v.y), 1e-30);
  return select(2.0 - part, part, v.y < 0.0);
}

// Halves the list: drops the corner that takes away the least area, one after the other, but never the deepest.
fn thinOut() {
  sortRing();
  for (; cornerCount > MANIFOLD_MOST_CORNERS / 2u; cornerCount--) {
    let deepest = deepestCorner();
    var least = 1e30;
    var dropped = 0u;
    for (var i = 0u; i < cornerCount; i++) {
      let before = select(i - 1u, cornerCount - 1u, i == 0u);
      let after = select(i + 1u, 0u, i + 1u == cornerCount);
      let area = abs(twiceArea(before, i, after));
      if (i != deepest && area < least) {
        least = area;
        dropped = i;
      }
    }
    for (var i = dropped; i + 1u < cornerCount; i++) {
      setCorner(i, cornerAt(i + 1u));
    }
  }
}

// Ties between corners go to the lower rank. Vertices come before crossings, because crossings of nearly parallel edges
// wander. The order of the rest is unrelated to their places. An order around the region would prefer a corner at the
// end of the tied ones, and the slightest motion can take that corner out of the tie.
fn rankOf(i: u32) -> u32 {
  return rankOfName(cornerNames[i]);
}

fn rankOfName(name: u32) -> u32 {
  return (name & 0xc0000000u) | ((name * MANIFOLD_RANK_FACTOR) >> 2u);
}

// Id and name.
fn idsOf(i: u32) -> vec2u {
  return vec2u(cornerIds[i], cornerNames[i]);
}

// Whether a corner comes before another one, by the id and name of each.
fn comesBefore(a: vec2u, b: vec2u) -> bool {
  let ranks = vec2u(rankOfName(a.y), rankOfName(b.y));
  return ranks.x < ranks.y || (ranks.x == ranks.y && a.x < b.x);
}
