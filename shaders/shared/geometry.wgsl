// Vertices, edges and face planes of all hulls and triangles, in one array of 16-byte rows. This is the one binding outside
// kernels/: WGSL can't pass storage to functions everywhere, and `support` has to read it.
//
//   vertex  x, y, z as f32 bits, caller's point index
//   edge    first vertex, second vertex (first < second), 0, 0; sorted
//   face    outward unit normal x, y, z as f32 bits, 0
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
