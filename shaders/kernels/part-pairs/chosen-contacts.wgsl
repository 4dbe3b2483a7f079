// The contacts of pairs of parts, and those that are chosen among them for pairs of bodies, as rows of 16 bytes
// (kernels/contact-records.wgsl).

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
  return bitcast<f32>(partRecords[4u * at].w);
}

fn infoOfParts(at: u32) -> u32 {
  return partRecords[4u * at + 1u].w;
}

// `source`: the pair of parts. The features of a contact that is not the kernel's follow.
fn storeChosen(pair: u32, source: u32, contact: ChosenContact) {
  let first = 4u * source;
  let to = 4u * pair;
  var rows = array<vec4u, 4>(
    partRecords[first], partRecords[first + 1u], partRecords[first + 2u], partRecords[first + 3u]
  );
  let normal = contact.normal;
  if (!contact.isGiven) {
    rows[0] = vec4u(bitcast<vec3u>(normal), rows[0].w);
    if (contact.isReplaced) {
      let status = select(STATUS_SEPARATED, STATUS_OVERLAPPING, contact.distance <= 0.0);
      let iterations = (rows[1].w >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT;
      rows[0].w = bitcast<u32>(contact.distance);
      rows[1] = vec4u(bitcast<vec3u>(contact.onA), status | INFO_HIT | INFO_HAS_POINTS | iterations);
      rows[2] = bitcast<vec4u>(vec4f(contact.onA + normal * contact.distance, contact.distance));
      rows[3] = vec4u(bitcast<u32>(contact.distance), 0u, 0u, 0u);
    }
  }
  for (var i = 0u; i < 4u; i++) {
    records[to + i] = rows[i];
  }
  // Those of the contact's normal follow.
  records[to + 3u] = vec4u(rows[3].x, 0u, 0u, 0u);
}

// The record of a pair without a contact. `bound`: of its distance.
fn storeNoContact(pair: u32, status: u32, bound: f32) {
  let to = 4u * pair;
  records[to] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 1u] = vec4u(0u, 0u, 0u, status);
  records[to + 2u] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 3u] = vec4u(bitcast<u32>(select(0.0, 1e30, status == STATUS_SEPARATED)), 0u, 0u, 0u);
}

// Takes back that a contact is a hit.
fn unlist(pair: u32) {
  records[4u * pair + 1u].w = STATUS_SEPARATED;
}
