// Boxes in world coordinates, rounded outward: a coarse test that reads half as much as the exact test of two bodies.

import package::broad-phase::bound::{Bound, BOUND_HALFSPACE, BOUND_NONE};

struct OuterBox {
  low: vec3f,
  high: vec3f,
}

// Shares of the size and of the position, above the rounding of the sums below and of the exact test.
const OUTER_SHARE: f32 = 1e-6;
// Beyond all boxes.
const FARTHEST: f32 = 3e38;

// A half-space's box has all points, that of an invalid body has none.
fn outerBox(position: vec3f, bound: Bound) -> OuterBox {
  if (bound.key >= BOUND_HALFSPACE) {
    let high = vec3f(select(FARTHEST, -FARTHEST, bound.key == BOUND_NONE));
    return OuterBox(-high, high);
  }
  let centre = position + bound.offset;
  let half = bound.half * (1.0 + OUTER_SHARE) + (abs(position) + abs(bound.offset)) * OUTER_SHARE;
  return OuterBox(centre - half, centre + half);
}

fn overlap(a: OuterBox, b: OuterBox) -> bool {
  return all(a.low <= b.high) & all(b.low <= a.high);
}
