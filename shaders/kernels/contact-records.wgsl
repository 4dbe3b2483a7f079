// Records of contacts as rows of 16 bytes, which load and store fastest. A pair that waits for a later stage keeps its
// state in the same rows, so that it needs no other memory. Rows are integers: as f32, the vertex numbers of a simplex
// would be subnormal, and a GPU may flush those to zero.
//
//   row  a contact                   a pair that waits for EPA
//   0    normal, distance            normal, points in the simplex
//   1    pointA, info                vertices of the simplex: three of A's, info
//   2    pointB, lower               three of B's, lower
//   3    upper, features, 0          upper, A's and B's fourth, 0
//
// A pair that waits for contacts-arcs-points has the normal to try in row 0, and a bound of heights at the end of row
// 3. A pair that waits for contacts-outside has the vertices of its last face, and two of their weights in place of
// the fourth vertices.

import package::shared::results::{
  Contact, INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_PENDING_REFINE, STATUS_CAPACITY_EXCEEDED
};
import package::queries::contacts::epa-start::{EpaStart};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

fn storeContact(index: u32, contact: Contact) {
  let row = 4u * index;
  records[row] = bitcast<vec4u>(vec4f(contact.normal, contact.distance));
  records[row + 1u] = vec4u(bitcast<vec3u>(contact.pointA), contact.info);
  records[row + 2u] = bitcast<vec4u>(vec4f(contact.pointB, contact.lower));
  records[row + 3u] = vec4u(bitcast<u32>(contact.upper), contact.featureA, contact.featureB, 0u);
}

// For a pair that has no answer yet, or never will: everything except `info` is zero.
fn storeInfo(index: u32, info: u32) {
  let row = 4u * index;
  records[row] = vec4u(0u);
  records[row + 1u] = vec4u(0u, 0u, 0u, info);
  records[row + 2u] = vec4u(0u);
  records[row + 3u] = vec4u(0u);
}

fn storeEpaStart(index: u32, start: EpaStart) {
  let row = 4u * index;
  records[row] = vec4u(bitcast<vec3u>(start.normal), start.count);
  let ids = start.ids;
  records[row + 1u] = vec4u(ids[0].x, ids[1].x, ids[2].x, start.info);
  records[row + 2u] = vec4u(ids[0].y, ids[1].y, ids[2].y, bitcast<u32>(start.lower));
  records[row + 3u] = vec4u(bitcast<u32>(start.upper), ids[3], 0u);
}

fn loadEpaStart(index: u32) -> EpaStart {
  let row = 4u * index;
  let axis = records[row];
  let middle = records[row + 1u];
  let other = records[row + 2u];
  let last = records[row + 3u];
  let ids = array(vec2u(middle.x, other.x), vec2u(middle.y, other.y), vec2u(middle.z, other.z), last.yz);
  return EpaStart(bitcast<vec3f>(axis.xyz), bitcast<f32>(other.w), bitcast<f32>(last.x), middle.w, ids, axis.w);
}

fn storeArcsNormal(index: u32, normal: vec3f, bound: f32) {
  let row = 4u * index;
  records[row] = vec4u(bitcast<vec3u>(normal), records[row].w);
  records[row + 3u].w = bitcast<u32>(bound);
}

fn loadArcsBound(index: u32) -> f32 {
  return bitcast<f32>(records[4u * index + 3u].w);
}

// For a pair that EPA left open: it waits for the arcs of the Gauss maps, or, if it is curved, for its refinement. If
// no such stage follows, its status says that it has no answer. The iterations so far are kept.
fn storeLeft(index: u32, isCurved: bool) {
  let row = 4u * index + 1u;
  let bit = select(INFO_PENDING_ARCS, INFO_PENDING_REFINE, isCurved);
  records[row].w = (records[row].w & ~INFO_PENDING_EPA) | bit | STATUS_CAPACITY_EXCEEDED;
}

// For a pair that goes on to the next kernel for pairs that wait for EPA. If that is a fallback step, the status makes
// the host run it.
fn storeUnfinished(index: u32) {
  let row = 4u * index + 1u;
  records[row].w |= STATUS_CAPACITY_EXCEEDED;
}

fn contactInfo(index: u32) -> u32 {
  return records[4u * index + 1u].w;
}

fn hasFeatures(index: u32) -> bool {
  return any(records[4u * index + 3u].yz != vec2u(0u));
}

fn contactNormal(index: u32) -> vec3f {
  return bitcast<vec3f>(records[4u * index].xyz);
}

fn storeFeatures(index: u32, features: vec2u) {
  let row = 4u * index + 3u;
  records[row].y = features.x;
  records[row].z = features.y;
}
