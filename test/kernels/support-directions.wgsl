// Supports of a hull, for the tests alone.

import package::shared::shapes::{Core, Shape};
import package::shared::support-of-polytope::{cellOf, supportOfPolytope};

@group(0) @binding(0) var<storage, read> directions: array<vec4f>;
@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// Per direction its cell and its support.
@group(0) @binding(3) var<storage, read_write> results: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&directions)) {
    return;
  }
  let shape = shapes[0];
  let core = Core(
    shape.halfExtents, 1.0, shape.kind, shape.firstRow, shape.vertexCount, shape.firstCellRow, shape.cellResolution
  );
  let direction = directions[id.x].xyz;
  results[id.x] = vec2u(cellOf(direction, core.cellResolution), supportOfPolytope(core, direction).number);
}
