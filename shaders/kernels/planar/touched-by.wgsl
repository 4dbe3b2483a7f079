// Which surface judges the impacts of two parts in 2-D.

import package::kernels::planar::led-pair::{ledPair, partOfLed};
import package::kernels::planar::load-pair::{BodyPair};
import package::planar::touched-surface::{TouchedSurface};

fn touchedBy(index: u32, bodies: BodyPair) -> TouchedSurface {
  let led = ledPair(bodies);
  let sizes = select(led.reaches, led.reaches.yx, led.isFirst);
  // That of the surface's own body, if the other one is a point.
  let size = select(sizes.y, sizes.x, sizes.x > 0.0);
  return TouchedSurface(led.isLed, led.isFirst, led.surface, partOfLed(index, led), size);
}
