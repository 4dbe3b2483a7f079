// Supports of a polygon, for the tests alone.

import package::planar::shapes::{PlanarCore, shapeOfRows};
import package::planar::support::{cellOf, support};

@group(0) @binding(0) var<storage, read> directions: array<vec4f>;
// Two rows.
@group(0) @binding(1) var<storage, read> shapes: array<vec4u>;
// Per direction its cell and its support.
@group(0) @binding(3) var<storage, read_write> results: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&directions)) {
    return;
  }
  let shape = shapeOfRows(shapes[0], shapes[1], shapes[2]);
  let core = PlanarCore(shape.data, 1.0, shape.kind, shape.firstRow, shape.cornerCount, shape.hasWideAngles);
  let direction = directions[id.x].xy;
  results[id.x] = vec2u(cellOf(direction, (core.vertexCount + 3u) / 4u), support(core, direction));
}
