// Which surface decides about the contacts of two bodies in 2-D: that of a chain, or of the larger compound. Two chains
// meet with all their normals.

import package::kernels::parameters::{bodyShapes, pairs};
import package::kernels::planar::load-pair::{BodyPair, shapeRecords};
import package::planar::surface::rows::{PlanarSurface, planarSurface};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::shapes::{CORE_PARTS};

struct LedPair {
  // Whether a surface decides, and whether it is body A's.
  isLed: bool,
  isFirst: bool,
  surface: PlanarSurface,
  // The greatest distances of the bodies' points from their origins.
  reaches: vec2f,
}

// `bodies` is valid.
fn ledPair(bodies: BodyPair) -> LedPair {
  let ids = vec2u(bodyShapes[bodies.numbers.x], bodyShapes[bodies.numbers.y]);
  let a = surfaceOfShape(ids.x);
  let b = surfaceOfShape(ids.y);
  let reaches = vec2f(reachOfShape(ids.x) * bodies.poseA.scale, reachOfShape(ids.y) * bodies.poseB.scale);
  var isFirst = a.isChain;
  if (!a.isChain && !b.isChain) {
    isFirst = a.row != 0u && (b.row == 0u || reaches.x >= reaches.y);
  }
  var surface = b;
  if (isFirst) {
    surface = a;
  }
  return LedPair(max(a.row, b.row) != 0u && !(a.isChain && b.isChain), isFirst, surface, reaches);
}

// The part of the surface that a pair of parts has.
fn partOfLed(index: u32, led: LedPair) -> u32 {
  return pairs[2u * index + 1u][select(1u, 0u, led.isFirst)] & ((1u << PART_KIND_SHIFT) - 1u);
}

fn surfaceOfShape(id: u32) -> PlanarSurface {
  let hasParts = (shapeRecords[3u * id].w & 0xffu) == CORE_PARTS;
  return planarSurface(select(0u, shapeRecords[3u * id + 1u].x, hasParts));
}

fn reachOfShape(id: u32) -> f32 {
  return bitcast<f32>(shapeRecords[3u * id].z);
}
