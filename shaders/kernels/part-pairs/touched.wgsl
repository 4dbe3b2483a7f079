// Which surfaces judge the impacts of rotating bodies. Stands for touched-surface in kernels over pairs of parts.

import package::kernels::load-pair::{BodyPair, loadShape};
import package::kernels::parameters::{bodyShapes, pairs};
import package::part-pairs::surface::judged-normal::{JudgedNormal, judgedNormal};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS, hasSurface, isLed, leadsA};
import package::part-pairs::surface::rows::{surfacePart};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::pair::{Pair};

const JUDGES: bool = true;

struct TouchedSurface {
  // Whether a surface decides, and whether the one that leads is body A's.
  judges: bool,
  isFirst: bool,
  // The pair of parts.
  index: u32,
  // The size of the body that is not that with the surface that leads; if it is a point, of this one.
  size: f32,
}

fn touchedBy(index: u32, bodies: BodyPair) -> TouchedSurface {
  let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
  let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
  let sizes = vec2f(bodyA.boundingRadius * bodies.poseA.scale, bodyB.boundingRadius * bodies.poseB.scale);
  let isFirst = leadsA(bodyA, bodyB);
  let ordered = select(sizes, sizes.yx, isFirst);
  return TouchedSurface(
    isLed(bodyA, bodyB, bodies.shapeA.kind, bodies.shapeB.kind), isFirst, index,
    select(ordered.y, ordered.x, ordered.x > 0.0)
  );
}

// From the frame of the body with the surface that leads to A's, and back.
fn fromSurface(touched: TouchedSurface, pair: Pair, direction: vec3f) -> vec3f {
  if (touched.isFirst) {
    return direction;
  }
  return pair.rotation * direction;
}

fn toSurface(touched: TouchedSurface, pair: Pair, direction: vec3f) -> vec3f {
  if (touched.isFirst) {
    return direction;
  }
  return direction * pair.rotation;
}

// `normal`, and `point` on A's surface, are in A's frame; the bodies are `distance` apart. Without a normal, it is
// replaced. The result is in A's frame.
fn judgedTouch(
  touched: TouchedSurface, pair: Pair, normal: vec3f, point: vec3f, distance: f32, hasNormal: bool
) -> JudgedNormal {
  var to = JudgedNormal(normal, false, false, 0.0, 0u, false);
  let numbers = pairs[2u * touched.index];
  let parts = pairs[2u * touched.index + 1u] & vec2u((1u << PART_KIND_SHIFT) - 1u);
  // As in accept-impacts.
  for (var step = 0u; step < select(1u, 2u, HAS_SOLIDS) && !to.isReplaced; step++) {
    let bodyA = loadShape(bodyShapes[numbers.x]);
    let bodyB = loadShape(bodyShapes[numbers.y]);
    if (step == 1u && !(hasSurface(bodyA) && hasSurface(bodyB))) {
      break;
    }
    let isFirst = leadsA(bodyA, bodyB) == (step == 0u);
    var body = bodyA;
    var led = pair;
    var given = to.normal;
    var place = point;
    if (!isFirst) {
      body = bodyB;
      led = reversed(pair);
      given = -(to.normal * pair.rotation);
      place = (point + to.normal * distance - pair.translation) * pair.rotation;
    }
    let part = surfacePart(body, select(parts.y, parts.x, isFirst), led.coreA.scale);
    let judged = judgedNormal(part, led, given, place, hasNormal);
    if (any(judged.normal != given)) {
      to.normal = judged.normal;
      if (!isFirst) {
        to.normal = -(pair.rotation * judged.normal);
      }
    }
    to.isReplaced = judged.isReplaced;
    if (step == 0u || judged.isReplaced) {
      to.face = judged.face;
      to.below = judged.below;
      to.isBehind = judged.isBehind;
    }
  }
  return to;
}

// The same pair with body B first. What places it in the world is left as it is.
fn reversed(pair: Pair) -> Pair {
  var to = pair;
  to.coreA = pair.coreB;
  to.coreB = pair.coreA;
  to.rotation = transpose(pair.rotation);
  to.translation = -(pair.translation * pair.rotation);
  to.radiusA = pair.radiusB;
  to.radiusB = pair.radiusA;
  return to;
}
