// Vertices, edges, faces, support cells and Gauss maps of all hulls and triangles, in one array of 16-byte rows. This
// is the one binding outside kernels/: WGSL can't pass storage to functions everywhere, and `support` has to read it.
//
//   vertex  x, y, z as f32 bits, caller's point index
//   edge    first vertex, second vertex (first < second), 0, 0; sorted
//   face    outward unit normal x, y, z as f32 bits, where in the loops its own starts
//   loops four numbers a row: of each face how many vertices it has, then their numbers, counter-clockwise from outside
//   cells four a row: the first candidate of each cell, counted in rows from the first row of cells; one more than
//   there are cells candidate x, y, z as f32 bits, vertex number map of the Gauss map: how many normals, how many arcs,
//   0, 0 normal unit vector x, y, z as f32 bits, 0 arcs two a row: the numbers of the normals at the ends of each
//
// Indices stay integers: as f32 their bits would be subnormal numbers, which a GPU may flush to zero.

@group(0) @binding(2) var<storage, read> geometry: array<vec4u>;

fn geometryVector(row: u32) -> vec3f {
  return bitcast<vec3f>(geometry[row].xyz);
}

fn geometryIndex(row: u32) -> u32 {
  return geometry[row].w;
}

fn geometryEdge(row: u32) -> vec2u {
  return geometry[row].xy;
}

// Number `at` of the loops that start in row `firstLoopRow`.
fn geometryLoop(firstLoopRow: u32, at: u32) -> u32 {
  return geometry[firstLoopRow + (at >> 2u)][at & 3u];
}

// How many normals and arcs a Gauss map has.
fn geometryCounts(mapRow: u32) -> vec2u {
  return geometry[mapRow].xy;
}

// The numbers of the normals at the ends of an arc.
fn geometryArc(firstArcRow: u32, arc: u32) -> vec2u {
  let row = geometry[firstArcRow + (arc >> 1u)];
  return select(row.xy, row.zw, (arc & 1u) == 1u);
}

// Row of the first candidate of a cell, and of the first that is none.
fn candidateRows(firstCellRow: u32, cell: u32) -> vec2u {
  let next = cell + 1u;
  return firstCellRow + vec2u(geometry[firstCellRow + (cell >> 2u)][cell & 3u], geometry[firstCellRow + (next >> 2u)][next & 3u]);
}
