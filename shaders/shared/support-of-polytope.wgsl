// Support mapping of the cores that are not curved: points, segments, boxes and hulls.
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
// order.

import package::shared::adapter::{UNROLLS_LOADS};
import package::shared::geometry::{
  HAS_PARTS, UNPACKED_CELL, geometryVector, geometryIndex, candidateRows, packedCell
};
import package::shared::shapes::{Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_TRIANGLE};

// A hull of so few vertices is small: trying them all is faster than finding a cell (bench/results/variants.md).
const SMALL_HULL: u32 = 12u;
// Whether all hulls are small. Kernels refuse others.
override SMALL_HULLS: bool = false;
// Whether supports are looked up in packed cells first. Their memory is a fraction of that of the lists of candidates,
// which counts where a cache serves hundreds of invocations. Software adapters are as fast with the lists alone, and
// compile less.
override PACKED_CELLS: bool = false;

// A vertex of a core.
struct CoreVertex {
  // In its body's frame.
  position: vec3f,
  number: u32,
}

// The core's vertex farthest along `direction`.
fn supportOfPolytope(core: Core, direction: vec3f) -> CoreVertex {
  switch (core.kind) {
    case CORE_POINT: {
      return CoreVertex(vec3f(0.0), 0u);
    }
    case CORE_SEGMENT: {
      let isAbove = direction.y >= 0.0;
      return CoreVertex(
        vec3f(0.0, select(-core.halfExtents.y, core.halfExtents.y, isAbove), 0.0), select(0u, 1u, isAbove)
      );
    }
    case CORE_BOX: {
      let isPositive = direction >= vec3f(0.0);
      let bits = select(vec3u(0u), vec3u(1u, 2u, 4u), isPositive);
      return CoreVertex(select(-core.halfExtents, core.halfExtents, isPositive), bits.x | bits.y | bits.z);
    }
    default: {
      // The best vertex, or the best candidate of the direction's cell.
      var rows = vec2u(core.firstRow, core.firstRow + core.vertexCount);
      // Triangles of meshes have no cells.
      let isSmall = SMALL_HULLS || (HAS_PARTS && core.kind == CORE_TRIANGLE);
      if (!isSmall) {
        let cell = cellOf(direction, core.cellResolution);
        if (PACKED_CELLS) {
          let numbers = packedCell(core.firstCellRow, core.cellResolution, cell);
          if (numbers != UNPACKED_CELL) {
            return bestOfFour(core, (vec4u(numbers) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(0xffu), direction);
          }
        }
        rows = candidateRows(core.firstCellRow, cell);
        rows.y = min(rows.y, rows.x + core.vertexCount);
      }
      var best: Candidate;
      var next = rows.x;
      if (UNROLLS_LOADS && !PACKED_CELLS) {
        // Most cells have no more than three candidates. Their loads don't wait for each other.
        best = candidateAt(rows.x, direction);
        best = higher(best, candidateAt(min(rows.x + 1u, rows.y - 1u), direction));
        best = higher(best, candidateAt(min(rows.x + 2u, rows.y - 1u), direction));
        next += 3u;
      }
      for (var row = next; row < rows.y; row++) {
        let other = candidateAt(row, direction);
        if (row == rows.x || other.height > best.height) {
          best = other;
        }
      }
      let number = select(geometryIndex(best.row), best.row - core.firstRow, isSmall);
      return CoreVertex(best.position * core.scale, number);
    }
  }
}

// The first of the highest ones among a hull's vertices with these numbers.
fn bestOfFour(core: Core, numbers: vec4u, direction: vec3f) -> CoreVertex {
  // Their loads don't wait for each other.
  let rows = vec4u(core.firstRow) + numbers;
  let first = higher(candidateAt(rows.x, direction), candidateAt(rows.y, direction));
  let best = higher(first, higher(candidateAt(rows.z, direction), candidateAt(rows.w, direction)));
  return CoreVertex(best.position * core.scale, best.row - core.firstRow);
}

// A row of `geometry` with a vertex, and how far that is along a direction.
struct Candidate {
  row: u32,
  position: vec3f,
  height: f32,
}

fn candidateAt(row: u32, direction: vec3f) -> Candidate {
  let position = geometryVector(row);
  return Candidate(row, position, dot(position, direction));
}

// The first of two that are equally high.
fn higher(a: Candidate, b: Candidate) -> Candidate {
  if (b.height > a.height) {
    return b;
  }
  return a;
}

// The cell of a cube's surface that a direction goes through, numbered as in src/shapes/support-cells.ts. Any cell for
// a direction that is zero or not a number: what becomes of that as an integer depends on the device, so integers are
// clamped.
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
  let place = (longest.yz / abs(longest.x) * 0.5 + 0.5) * cells;
  let at = min(vec2u(max(place, vec2f(0.0))), vec2u(resolution - 1u));
  return ((face + select(0u, 1u, longest.x < 0.0)) * resolution + at.y) * resolution + at.x;
}

// Position of a core's vertex in its body's frame.
fn vertexOfPolytope(core: Core, number: u32) -> vec3f {
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
      return geometryVector(core.firstRow + number) * core.scale;
    }
  }
}
