// Support mappings of the cores and of the Minkowski difference B - A.
//
// Vertex numbers of a box: bit 0, 1, 2 set where x, y, z is positive.
//
//        6--------7        y
//       /|       /|        |
//      4-|------5 |        o-- x
//      | 2------|-3       /
//      |/       |/       z towards the viewer is bit 2: 4..7 are the front
//      0--------1
//
// A segment's vertices are 0 (below) and 1 (above). A point's only vertex is 0. A hull's vertices are its rows in
// order. curved.wgsl defines the numbers of the points of curved cores.

import package::shared::curved::{curvedSupport, curvedPoint};
import package::shared::geometry::{geometryVector, geometryIndex, candidateRows};
import package::shared::shapes::{Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_HULL, CORE_ELLIPSOID};
import package::shared::pair::{Pair};

// Whether there may be cylinders, cones and ellipsoids. If false, kernels leave out their code.
override HAS_CURVED: bool = false;
// A hull of so few vertices is small: trying them all is faster than finding a cell (bench/results/support.md).
const SMALL_HULL: u32 = 12u;
// Whether all hulls are small. Kernels refuse others.
override SMALL_HULLS: bool = false;

// The number of the core's vertex farthest along `direction`.
fn support(core: Core, direction: vec3f) -> u32 {
  switch (core.kind) {
    case CORE_POINT: {
      return 0u;
    }
    case CORE_SEGMENT: {
      return select(0u, 1u, direction.y >= 0.0);
    }
    case CORE_BOX: {
      return select(0u, 1u, direction.x >= 0.0) | select(0u, 2u, direction.y >= 0.0) |
          select(0u, 4u, direction.z >= 0.0);
    }
    default: {
      if (isCurved(core)) {
        return curvedSupport(core, direction);
      }
      // The best vertex, or the best candidate of the direction's cell.
      var rows = vec2u(core.firstRow, core.firstRow + core.vertexCount);
      if (!SMALL_HULLS) {
        rows = candidateRows(core.firstCellRow, cellOf(direction, core.cellResolution));
      }
      var best = rows.x;
      var bestHeight = dot(geometryVector(rows.x), direction);
      for (var row = rows.x + 1u; row < rows.y; row++) {
        let height = dot(geometryVector(row), direction);
        if (height > bestHeight) {
          bestHeight = height;
          best = row;
        }
      }
      return select(geometryIndex(best), best - core.firstRow, SMALL_HULLS);
    }
  }
}

// The cell of a cube's surface that a direction goes through, numbered as in src/shapes/support-cells.ts.
fn cellOf(direction: vec3f, resolution: u32) -> u32 {
  let size = abs(direction);
  var longest = direction;
  var face = 0u;
  if (size.y > size.x && size.y >= size.z) {
    longest = direction.yzx;
    face = 2u;
  } else if (size.z > size.x) {
    longest = direction.zxy;
    face = 4u;
  }
  let cells = f32(resolution);
  let at = vec2u(clamp((longest.yz / abs(longest.x) * 0.5 + 0.5) * cells, vec2f(0.0), vec2f(cells - 1.0)));
  return ((face + select(0u, 1u, longest.x < 0.0)) * resolution + at.y) * resolution + at.x;
}

fn isCurved(core: Core) -> bool {
  return HAS_CURVED && core.kind > CORE_HULL && core.kind <= CORE_ELLIPSOID;
}

// Whether either core is curved: f32 resolves their supports less well.
fn isCurvedPair(pair: Pair) -> bool {
  return isCurved(pair.coreA) || isCurved(pair.coreB);
}

// Number of vertices. For curved cores, all numbers except the last one name a point.
fn vertexCountOf(core: Core) -> u32 {
  switch (core.kind) {
    case CORE_POINT: {
      return 1u;
    }
    case CORE_SEGMENT: {
      return 2u;
    }
    case CORE_BOX: {
      return 8u;
    }
    default: {
      return select(core.vertexCount, 0xffffffffu, isCurved(core));
    }
  }
}

// Position of a core's vertex in its body's frame.
fn vertex(core: Core, number: u32) -> vec3f {
  switch (core.kind) {
    case CORE_POINT: {
      return vec3f(0.0);
    }
    case CORE_SEGMENT: {
      return vec3f(0.0, select(-core.halfExtents.y, core.halfExtents.y, number == 1u), 0.0);
    }
    case CORE_BOX: {
      return select(-core.halfExtents, core.halfExtents, (vec3u(number) & vec3u(1u, 2u, 4u)) != vec3u(0u));
    }
    default: {
      if (isCurved(core)) {
        return curvedPoint(core, number);
      }
      return geometryVector(core.firstRow + number) * core.scale;
    }
  }
}

// A vertex of the Minkowski difference B - A in A's frame.
struct Point {
  position: vec3f,
  // Vertex numbers on A and on B.
  id: vec2u,
}

fn vertexA(pair: Pair, id: vec2u) -> vec3f {
  return vertex(pair.coreA, id.x);
}

fn vertexB(pair: Pair, id: vec2u) -> vec3f {
  return pair.rotation * vertex(pair.coreB, id.y) + pair.translation;
}

fn differencePoint(pair: Pair, id: vec2u) -> Point {
  return Point(vertexB(pair, id) - vertexA(pair, id), id);
}

// The point of B - A farthest along `direction`.
fn differenceSupport(pair: Pair, direction: vec3f) -> Point {
  let a = support(pair.coreA, -direction);
  let b = support(pair.coreB, direction * pair.rotation);
  return differencePoint(pair, vec2u(a, b));
}
