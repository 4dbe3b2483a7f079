// From points of the cores to points of the rounded surfaces.

import package::planar::pair::{PlanarPair};
import package::planar::queries::answer::{Answer, CorePoints};

// Exactly the distance apart along the normal: what rounding left between the two estimates is shared by both.
fn surfacePoints(pair: PlanarPair, found: Answer) -> CorePoints {
  let middle = 0.5 * (found.onA + found.onB + found.normal * (pair.radiusA - pair.radiusB));
  let half = found.normal * (0.5 * found.lower);
  return CorePoints(middle - half, middle + half);
}
