// Records of manifolds as rows of 16 bytes.

import package::shared::results::{Manifold};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

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
