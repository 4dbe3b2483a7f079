// The bodies that each ray may meet. Rays are bodies too, behind those that there is room for: balls that move.

import package::broad-phase::ray-box::{Ray};
import package::kernels::broad-phase::parameters::{parameters};

// Per ray: how many bodies it may meet, and then the first place of its pairs, counted over all rays. All pairs of a
// ray are next to each other.
@group(0) @binding(13) var<storage, read_write> cursors: array<u32>;
// Body and ray, from parameters.firstPair on.
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;
@group(0) @binding(19) var<storage, read_write> rays: array<Ray>;
// The greatest time of each ray.
@group(0) @binding(20) var<storage, read> maxTimes: array<f32>;

fn rayCount() -> u32 {
  return min(parameters.rayCount, parameters.rayCapacity);
}

// The ray as a body.
fn bodyOfRay(ray: u32) -> u32 {
  return parameters.bodyCapacity + ray;
}
