// Records of manifolds as rows of 16 bytes, and of the contacts from which they are made.

import package::shared::results::{Manifold};
import package::queries::manifolds::contact::{ContactPoint};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;
// Rows as in contact-records.wgsl.
@group(0) @binding(8) var<storage, read> contacts: array<vec4u>;

fn loadContactPoint(index: u32) -> ContactPoint {
  let axis = contacts[4u * index];
  let point = contacts[4u * index + 1u];
  return ContactPoint(bitcast<vec3f>(axis.xyz), bitcast<f32>(axis.w), bitcast<vec3f>(point.xyz), point.w);
}

fn storeManifold(index: u32, manifold: Manifold) {
  let row = 7u * index;
  records[row] = vec4u(bitcast<vec3u>(manifold.normal), manifold.info);
  records[row + 1u] = bitcast<vec4u>(manifold.point0);
  records[row + 2u] = bitcast<vec4u>(manifold.point1);
  records[row + 3u] = bitcast<vec4u>(manifold.point2);
  records[row + 4u] = bitcast<vec4u>(manifold.point3);
  records[row + 5u] = manifold.features;
  records[row + 6u] = vec4u(bitcast<u32>(manifold.contactDistance), 0u, 0u, 0u);
}
