// Stands for touched-surface in kernels over pairs of bodies: no surface judges their impacts.

import package::shared::pair::{Pair};

const JUDGES: bool = false;

struct TouchedSurface {
  judges: bool,
  size: f32,
}

struct JudgedNormal {
  normal: vec3f,
  isReplaced: bool,
  below: f32,
  face: u32,
  isBehind: bool,
}

fn fromSurface(touched: TouchedSurface, pair: Pair, direction: vec3f) -> vec3f {
  return direction;
}

fn toSurface(touched: TouchedSurface, pair: Pair, direction: vec3f) -> vec3f {
  return direction;
}

fn judgedTouch(
  touched: TouchedSurface, pair: Pair, normal: vec3f, point: vec3f, distance: f32, hasNormal: bool
) -> JudgedNormal {
  return JudgedNormal(normal, false, 0.0, 0u, false);
}
