// Records of contacts as rows of 16 bytes, which memory likes; and of pairs that wait for a later stage, which need no
// memory besides. Rows are integers: the vertex numbers of a simplex would be subnormal numbers as f32, which a GPU may
// flush to zero.
//
//   row  a contact                   a pair that waits for EPA
//   0    normal, distance            normal, points in the simplex
//   1    pointA, info                vertices of the simplex: three of A's, info
//   2    pointB, lower               three of B's, lower
//   3    upper, features, 0          upper, A's and B's fourth, 0

import package::shared::results::{Contact, INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_PENDING_REFINE, STATUS_CAPACITY_EXCEEDED};
import package::queries::contacts::epa-start::{EpaStart};

@group(0) @binding(6) var<storage, read_write> results: array<vec4u>;

fn storeContact(index: u32, contact: Contact) {
  let row = 4u * index;
  results[row] = bitcast<vec4u>(vec4f(contact.normal, contact.distance));
  results[row + 1u] = vec4u(bitcast<vec3u>(contact.pointA), contact.info);
  results[row + 2u] = bitcast<vec4u>(vec4f(contact.pointB, contact.lower));
  results[row + 3u] = vec4u(bitcast<u32>(contact.upper), contact.featureA, contact.featureB, 0u);
}

// A pair without an answer yet, or with none at all: everything but `info` is zero.
fn storeInfo(index: u32, info: u32) {
  let row = 4u * index;
  results[row] = vec4u(0u);
  results[row + 1u] = vec4u(0u, 0u, 0u, info);
  results[row + 2u] = vec4u(0u);
  results[row + 3u] = vec4u(0u);
}

fn storeEpaStart(index: u32, start: EpaStart) {
  let row = 4u * index;
  results[row] = vec4u(bitcast<vec3u>(start.normal), start.count);
  let ids = start.ids;
  results[row + 1u] = vec4u(ids[0].x, ids[1].x, ids[2].x, start.info);
  results[row + 2u] = vec4u(ids[0].y, ids[1].y, ids[2].y, bitcast<u32>(start.lower));
  results[row + 3u] = vec4u(bitcast<u32>(start.upper), ids[3], 0u);
}

fn loadEpaStart(index: u32) -> EpaStart {
  let row = 4u * index;
  let axis = results[row];
  let middle = results[row + 1u];
  let other = results[row + 2u];
  let last = results[row + 3u];
  let ids = array(vec2u(middle.x, other.x), vec2u(middle.y, other.y), vec2u(middle.z, other.z), last.yz);
  return EpaStart(bitcast<vec3f>(axis.xyz), bitcast<f32>(other.w), bitcast<f32>(last.x), middle.w, ids, axis.w);
}

// EPA left the pair open: it waits for the arcs of the Gauss maps, or a curved one for its refinement, and has no
// answer if nobody comes; iterations so far are kept.
fn storeLeft(index: u32, isCurved: bool) {
  let row = 4u * index + 1u;
  let bit = select(INFO_PENDING_ARCS, INFO_PENDING_REFINE, isCurved);
  results[row].w = (results[row].w & ~INFO_PENDING_EPA) | bit | STATUS_CAPACITY_EXCEEDED;
}

fn contactInfo(index: u32) -> u32 {
  return results[4u * index + 1u].w;
}

fn contactNormal(index: u32) -> vec3f {
  return bitcast<vec3f>(results[4u * index].xyz);
}

fn storeFeatures(index: u32, features: vec2u) {
  let row = 4u * index + 3u;
  results[row].y = features.x;
  results[row].z = features.y;
}
