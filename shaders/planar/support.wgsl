// Corners, edges and supports of the cores, and of the Minkowski difference B - A.
//
// Edge i of a core runs from corner i to the next, counter-clockwise; a segment has two, there and back. Rows of
// `geometry` of a shape of any kind:
//
//   corners  x, y, and the outward unit normal of the edge that starts there, as f32 bits; of a point no normal
//   cells    of polygons of more than SMALL_POLYGON corners: four numbers a row, see below
//   numbers  four a row: the caller's index of each corner's point
//
// Which corner is the support along a direction depends on the direction's angle only, and so monotonously. Directions
// are told apart by where they pass the square |x|, |y| <= 1, cut into as many cells as there are corners, or up to
// three more, counter-clockwise from (1, -1) on. Number c is the support where cell c begins, counted on past the last
// corner rather than from 0 again, so that the candidates in a cell are those from its number to the next.

import package::shared::geometry::{geometry};
import package::planar::math::{rightOf, rotateBack, directionOf};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::shapes::{PlanarCore, PLANAR_POINT, PLANAR_SEGMENT, PLANAR_RECTANGLE, PLANAR_POLYGON};

// Polygons of at most this many corners have all of them tried.
const SMALL_POLYGON: u32 = 16u;
// Whether cores are of any kinds: then all are taken for polygons, whose rows they have, so that there is one way to
// compile instead of four.
override ARE_ANY: bool = false;
// Whether all polygons are such: then searches for larger ones are no part of the kernel.
override ARE_SMALL: bool = false;

// What a core is taken for.
fn formOf(core: PlanarCore) -> u32 {
  return select(core.kind, PLANAR_POLYGON, ARE_ANY);
}

// The core's corner farthest along `direction`, by number.
fn support(core: PlanarCore, direction: vec2f) -> u32 {
  switch (formOf(core)) {
    case PLANAR_POINT: {
      return 0u;
    }
    case PLANAR_SEGMENT: {
      return select(0u, 1u, dot(core.data.zw - core.data.xy, direction) > 0.0);
    }
    case PLANAR_RECTANGLE: {
      // The first of several that are equally far, as when all are tried.
      let isAbove = direction.y > 0.0;
      return select(
        select(0u, 3u, isAbove), select(1u, 2u, isAbove), direction.x > 0.0 || (direction.x == 0.0 && isAbove)
      );
    }
    default: {
      var first = 0u;
      var last = core.vertexCount - 1u;
      if (!ARE_SMALL && core.vertexCount > SMALL_POLYGON) {
        let side = (core.vertexCount + 3u) / 4u;
        let cell = cellOf(direction, side);
        let firstCellRow = core.firstRow + core.vertexCount;
        first = geometry[firstCellRow + (cell >> 2u)][cell & 3u];
        last = min(geometry[firstCellRow + ((cell + 1u) >> 2u)][(cell + 1u) & 3u], first + core.vertexCount);
      }
      var best = first;
      var bestHeight = -1e38;
      for (var i = first; i <= last; i++) {
        let height = dot(bitcast<vec2f>(geometry[core.firstRow + wrapped(core, i)].xy), direction);
        if (height > bestHeight) {
          bestHeight = height;
          best = i;
        }
      }
      return wrapped(core, best);
    }
  }
}

fn wrapped(core: PlanarCore, number: u32) -> u32 {
  return select(number, number - core.vertexCount, number >= core.vertexCount);
}

// The cell that a direction goes through, of so many on each side of the square. Any cell for a direction that is zero
// or not a number.
fn cellOf(direction: vec2f, side: u32) -> u32 {
  let size = abs(direction);
  var place = direction.y / direction.x;
  var quarter = select(0u, 2u, direction.x < 0.0);
  if (size.y > size.x) {
    place = -direction.x / direction.y;
    quarter = select(1u, 3u, direction.y < 0.0);
  }
  let at = max((place * 0.5 + 0.5) * f32(side), 0.0);
  return quarter * side + min(u32(at), side - 1u);
}

fn cornerCount(core: PlanarCore) -> u32 {
  switch (formOf(core)) {
    case PLANAR_POINT: {
      return 1u;
    }
    case PLANAR_SEGMENT: {
      return 2u;
    }
    case PLANAR_RECTANGLE: {
      return 4u;
    }
    default: {
      return core.vertexCount;
    }
  }
}

fn edgeCount(core: PlanarCore) -> u32 {
  return select(cornerCount(core), 0u, core.kind == PLANAR_POINT);
}

// The corner after one, and before.
fn cornerAfter(core: PlanarCore, number: u32) -> u32 {
  return select(number + 1u, 0u, number + 1u >= cornerCount(core));
}

fn cornerBefore(core: PlanarCore, number: u32) -> u32 {
  return select(number, cornerCount(core), number == 0u) - 1u;
}

// A corner, and the outward unit normal of the edge that starts there, in the body's frame. A point's edge has no
// normal.
struct Corner {
  position: vec2f,
  normal: vec2f,
}

fn corner(core: PlanarCore, number: u32) -> Corner {
  switch (formOf(core)) {
    case PLANAR_POINT: {
      return Corner(core.data.xy, vec2f(0.0));
    }
    case PLANAR_SEGMENT: {
      let normal = rightOf(directionOf(core.data.zw - core.data.xy, vec2f(1.0, 0.0)));
      return Corner(select(core.data.xy, core.data.zw, number == 1u), select(normal, -normal, number == 1u));
    }
    case PLANAR_RECTANGLE: {
      let isRight = number == 1u || number == 2u;
      let isAbove = number >= 2u;
      let normal = select(
        vec2f(0.0, select(-1.0, 1.0, isAbove)), vec2f(select(-1.0, 1.0, isRight), 0.0), (number & 1u) == 1u
      );
      return Corner(select(-core.data.xy, core.data.xy, vec2<bool>(isRight, isAbove)), normal);
    }
    default: {
      let row = bitcast<vec4f>(geometry[core.firstRow + number]);
      return Corner(row.xy * core.scale, row.zw);
    }
  }
}

// The number that callers know a corner by.
fn pointNumber(core: PlanarCore, number: u32) -> u32 {
  if (formOf(core) == PLANAR_RECTANGLE) {
    // Bit 0 and 1 where x and y are positive.
    return number ^ (number >> 1u);
  }
  let side = (core.vertexCount + 3u) / 4u;
  let firstNumberRow = core.firstRow + core.vertexCount + select(0u, side + 1u, core.vertexCount > SMALL_POLYGON);
  return geometry[firstNumberRow + (number >> 2u)][number & 3u];
}

// A corner of the Minkowski difference B - A in A's frame.
struct Point {
  position: vec2f,
  // Corner numbers on A and on B.
  id: vec2u,
}

fn cornerA(pair: PlanarPair, number: u32) -> vec2f {
  return corner(pair.coreA, number).position;
}

fn cornerB(pair: PlanarPair, number: u32) -> vec2f {
  return fromB(pair, corner(pair.coreB, number).position);
}

fn differencePoint(pair: PlanarPair, id: vec2u) -> Point {
  return Point(cornerB(pair, id.y) - cornerA(pair, id.x), id);
}

// The point of B - A farthest along `direction`.
fn differenceSupport(pair: PlanarPair, direction: vec2f) -> Point {
  let a = support(pair.coreA, -direction);
  let b = support(pair.coreB, rotateBack(pair.rotation, direction));
  return differencePoint(pair, vec2u(a, b));
}

// A point inside B - A.
fn innerPoint(pair: PlanarPair) -> vec2f {
  return fromB(pair, centre(pair.coreB)) - centre(pair.coreA);
}

// A point inside a core, in its body's frame.
fn centre(core: PlanarCore) -> vec2f {
  switch (core.kind) {
    case PLANAR_SEGMENT: {
      return 0.5 * (core.data.xy + core.data.zw);
    }
    case PLANAR_RECTANGLE: {
      return vec2f(0.0);
    }
    default: {
      return core.data.xy;
    }
  }
}
