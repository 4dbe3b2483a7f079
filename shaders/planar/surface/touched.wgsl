// Which surface judges the impacts of rotating bodies in 2-D. Stands for planar/touched-surface in kernels over pairs
// of parts.

import package::planar::math::{rotate, rotateBack};
import package::planar::pair::{PlanarPair};
import package::planar::surface::judged-normal::{JudgedNormal, judgedNormal};
import package::planar::surface::rows::{PlanarSurface, planarPart};

const JUDGES: bool = true;

struct TouchedSurface {
  // Whether a surface decides, and whether it is body A's.
  judges: bool,
  isFirst: bool,
  surface: PlanarSurface,
  part: u32,
  // That of the body that is not the surface's.
  size: f32,
}

// `normal`, and `point` on A's surface, are in A's frame; the bodies are `distance` apart. The result is in A's frame.
fn judgedTouch(
  touched: TouchedSurface, pair: PlanarPair, normal: vec2f, point: vec2f, distance: f32
) -> JudgedNormal {
  // The part of the surface comes first.
  var led = pair;
  var given = normal;
  var place = point;
  if (!touched.isFirst) {
    led = reversed(pair);
    given = rotateBack(pair.rotation, -normal);
    place = rotateBack(pair.rotation, point + normal * distance - pair.translation);
  }
  var to = judgedNormal(planarPart(touched.surface, touched.part, led.coreA.scale), led, given, place);
  if (all(to.normal == given)) {
    to.normal = normal;
  } else if (!touched.isFirst) {
    to.normal = -rotate(pair.rotation, to.normal);
  }
  return to;
}

// The same pair, with body B first.
fn reversed(pair: PlanarPair) -> PlanarPair {
  let back = vec2f(pair.rotation.x, -pair.rotation.y);
  return PlanarPair(
    pair.coreB, pair.coreA, back, rotate(back, -pair.translation), pair.radiusB, pair.radiusA, pair.unit,
    rotate(pair.rotationA, pair.rotation), rotate(back, pair.middleB), rotate(back, pair.middleA)
  );
}
