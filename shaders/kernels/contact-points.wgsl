// The records of the contacts that manifolds are made from.

import package::queries::manifolds::contact::{ContactPoint};

// Rows as in contact-records.wgsl.
@group(0) @binding(8) var<storage, read> contacts: array<vec4u>;

fn loadContactPoint(index: u32) -> ContactPoint {
  let axis = contacts[4u * index];
  let point = contacts[4u * index + 1u];
  return ContactPoint(bitcast<vec3f>(axis.xyz), bitcast<f32>(axis.w), bitcast<vec3f>(point.xyz), point.w);
}
