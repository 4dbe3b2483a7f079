// Positions of bodies, as kernels/load-pair.wgsl has them.

import package::broad-phase::grid::{addPlace, fixedPointPlace, CellScale, Place};
import package::kernels::broad-phase::parameters::{parameters, HAS_FIXED_POINT, IS_PLANAR};
import package::shared::fixed-point::{fixedPointOffset};

// Shape indices of all bodies. With HAS_FIXED_POINT their positions follow (kernels/parameters.wgsl).
@group(0) @binding(4) var<storage, read> bodyShapes: array<u32>;

fn fixedPointRow(body: u32, row: u32) -> vec3i {
  let axes = select(3u, 2u, IS_PLANAR);
  let at = parameters.bodyCount + axes * (2u * body + row);
  let z = select(bodyShapes[at + 2u], 0u, IS_PLANAR);
  return vec3i(vec3u(bodyShapes[at], bodyShapes[at + 1u], z));
}

// B's position minus A's.
fn positionDifference(bodyA: u32, positionA: vec3f, bodyB: u32, positionB: vec3f) -> vec3f {
  if (!HAS_FIXED_POINT) {
    return positionB - positionA;
  }
  let cells = fixedPointRow(bodyB, 0u) - fixedPointRow(bodyA, 0u);
  let fractions = fixedPointRow(bodyB, 1u) - fixedPointRow(bodyA, 1u);
  return fixedPointOffset(cells, fractions, parameters.cellSize);
}

// The place of a body's position.
fn placeOf(body: u32, position: vec3f, scale: CellScale) -> Place {
  if (!HAS_FIXED_POINT) {
    return addPlace(Place(), position, scale);
  }
  return fixedPointPlace(fixedPointRow(body, 0u), fixedPointRow(body, 1u), parameters.cellSize, scale);
}

// At least how far along each axis a body is from the world's origin.
fn distanceOf(body: u32, position: vec3f) -> vec3f {
  if (!HAS_FIXED_POINT) {
    return abs(position);
  }
  return vec3f(abs(fixedPointRow(body, 0u)) + vec3i(1)) * parameters.cellSize;
}
