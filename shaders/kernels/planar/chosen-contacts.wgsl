// The contacts of pairs of parts, and those that are chosen among them for pairs of bodies, as rows of 16 bytes
// (kernels/planar/contact-records.wgsl).

import package::shared::results::{
  INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, STATUS_OVERLAPPING, STATUS_SEPARATED
};

// The contacts of the pairs of parts.
@group(0) @binding(1) var<storage, read> partRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> records: array<vec4u>;

// What takes the place of the kernel's contact.
struct ChosenContact {
  // Whether it is the kernel's.
  isGiven: bool,
  // Whether its distance and its points differ from those of the kernel's, and not its normal alone.
  isReplaced: bool,
  normal: vec3f,
  onA: vec3f,
  // Signed.
  distance: f32,
}

fn distanceOfParts(at: u32) -> f32 {
  return bitcast<f32>(partRecords[3u * at].z);
}

fn infoOfParts(at: u32) -> u32 {
  return partRecords[3u * at].w;
}

// `source`: the pair of parts. The features of a contact with another distance follow.
fn storeChosen(pair: u32, source: u32, contact: ChosenContact) {
  let first = 3u * source;
  let to = 3u * pair;
  var rows = array<vec4u, 3>(partRecords[first], partRecords[first + 1u], partRecords[first + 2u]);
  let normal = contact.normal.xy;
  if (!contact.isGiven) {
    rows[0] = vec4u(bitcast<vec2u>(normal), rows[0].zw);
    if (contact.isReplaced) {
      let status = select(STATUS_SEPARATED, STATUS_OVERLAPPING, contact.distance <= 0.0);
      let iterations = (rows[0].w >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT;
      rows[0].z = bitcast<u32>(contact.distance);
      rows[0].w = status | INFO_HIT | INFO_HAS_POINTS | iterations;
      rows[1] = bitcast<vec4u>(vec4f(contact.onA.xy, contact.onA.xy + normal * contact.distance));
      rows[2] = vec4u(rows[0].zz, 0u, 0u);
    }
  }
  for (var i = 0u; i < 3u; i++) {
    records[to + i] = rows[i];
  }
}

// The record of a pair without a contact. `bound`: of its distance.
fn storeNoContact(pair: u32, status: u32, bound: f32) {
  let to = 3u * pair;
  records[to] = vec4u(0u, 0u, bitcast<u32>(bound), status);
  records[to + 1u] = vec4u(0u);
  records[to + 2u] = vec4u(bitcast<u32>(bound), bitcast<u32>(select(0.0, 1e30, status == STATUS_SEPARATED)), 0u, 0u);
}

// Takes back that a contact is a hit.
fn unlist(pair: u32) {
  records[3u * pair].w = STATUS_SEPARATED;
}
