// Stands for planar/touched-surface in kernels over pairs of bodies: no surface judges their impacts.

import package::planar::pair::{PlanarPair};

const JUDGES: bool = false;

struct TouchedSurface {
  judges: bool,
  size: f32,
}

struct JudgedNormal {
  normal: vec2f,
  isReplaced: bool,
  below: f32,
  face: u32,
  isBehind: bool,
}

fn judgedTouch(
  touched: TouchedSurface, pair: PlanarPair, normal: vec2f, point: vec2f, distance: f32
) -> JudgedNormal {
  return JudgedNormal(normal, false, 0.0, 0u, false);
}
