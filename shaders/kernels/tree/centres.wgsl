import package::broad-phase::bound::{Bound};
import package::kernels::broad-phase::bounded::{positionOf};
import package::kernels::broad-phase::positions::{positionDifference};

// The centre of a body's box, relative to the position of the body `origin`.
fn centreOf(body: u32, bound: Bound, origin: u32) -> vec3f {
  return positionDifference(origin, positionOf(origin), body, positionOf(body)) + bound.offset;
}
