// Vertices, edges, faces, support cells and Gauss maps of all hulls and triangles, in one array of 16-byte rows. This
// is the one binding outside kernels/, since WGSL can't pass storage to functions everywhere and `support` has to read
// it.
//
//   vertex     x, y, z as f32 bits, caller's point index
//   edge       first vertex, second vertex (first < second), 0, 0; sorted
//   face       outward unit normal x, y, z as f32 bits, position of its loop in the loops
//   loops      four numbers per row: for each face the number of its vertices, then their numbers, counter-clockwise
//              from outside
//   packed     four numbers per row, one per cell: up to four candidates in bytes, the first one repeated;
//              UNPACKED_CELL if there are more, or a candidate has more than eight bits
//   cells      four numbers per row: the first candidate of each cell, counted in rows from the first row of cells; one
//              more number than there are cells
//   candidate  x, y, z as f32 bits, vertex number
//   map        of the Gauss map: number of normals, number of steps along trails of arcs, the greatest distance of a
//              vertex from the origin as f32 bits, 0
//   normal     unit vector x, y, z and offset of its support plane, as f32 bits
//   coarse     two planes per row, of four signed 16-bit numbers: those of the normals, then those of the steps
//   steps      four numbers per row: that of each step's normal
//
// For kernels with HAS_PARTS, what compounds and meshes have from their first row on:
//
//   mesh       ten rows per triangle, which are those of a hull: its corners relative to the triangle's middle, edges,
//              faces and loops. The last two numbers of the first edge are x and y of the middle, those of the second
//              edge z and the number of faces: 0 for a triangle without an area
//   compound   two rows per part: its quaternion in the compound's frame; its scale there and three zeros, as f32 bits
//
// Indices stay integers: as f32 their bits would be subnormal numbers, which a GPU may flush to zero.

// Whether bodies may be compounds and meshes. The kernel then takes pairs of parts (kernels/load-pair.wgsl).
override HAS_PARTS: bool = false;

// Rows of a triangle of a mesh.
const TRIANGLE_ROWS: u32 = 10u;

@group(0) @binding(2) var<storage, read> geometry: array<vec4u>;

fn geometryVector(row: u32) -> vec3f {
  return bitcast<vec3f>(geometry[row].xyz);
}

fn geometryIndex(row: u32) -> u32 {
  return geometry[row].w;
}

// Outward normal of the face whose loop has the edge from `ends.y` to `ends.x`; 0 if there is none.
fn geometryNeighbour(firstFaceRow: u32, firstLoopRow: u32, ends: vec2u) -> vec3f {
  for (var row = firstFaceRow; row < firstLoopRow; row++) {
    let start = geometryIndex(row);
    let count = geometryLoop(firstLoopRow, start);
    var previous = geometryLoop(firstLoopRow, start + count);
    for (var i = 1u; i <= count; i++) {
      let number = geometryLoop(firstLoopRow, start + i);
      if (previous == ends.y && number == ends.x) {
        return geometryVector(row);
      }
      previous = number;
    }
  }
  return vec3f(0.0);
}

fn geometryEdge(row: u32) -> vec2u {
  return geometry[row].xy;
}

// Number `at` of the loops that start in row `firstLoopRow`.
fn geometryLoop(firstLoopRow: u32, at: u32) -> u32 {
  return geometry[firstLoopRow + (at >> 2u)][at & 3u];
}

fn geometryRow(row: u32) -> vec4u {
  return geometry[row];
}

fn geometryPlane(row: u32) -> vec4f {
  return bitcast<vec4f>(geometry[row]);
}

// Number `at` of those that start in a row, four in each.
fn geometryNumber(firstRow: u32, at: u32) -> u32 {
  return geometry[firstRow + (at >> 2u)][at & 3u];
}

// Row of a cell's first candidate, and the row after its last.
fn candidateRows(firstCellRow: u32, cell: u32) -> vec2u {
  let next = cell + 1u;
  return firstCellRow +
      vec2u(geometry[firstCellRow + (cell >> 2u)][cell & 3u], geometry[firstCellRow + (next >> 2u)][next & 3u]);
}

const UNPACKED_CELL: u32 = 0xffffffffu;

// The candidates of a cell; UNPACKED_CELL if they are in the list only.
fn packedCell(firstCellRow: u32, resolution: u32, cell: u32) -> u32 {
  return geometryNumber(firstCellRow - ((6u * resolution * resolution + 3u) >> 2u), cell);
}
