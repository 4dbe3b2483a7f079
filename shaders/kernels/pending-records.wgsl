// Records of pairs that wait for a later stage, in the rows of contact-records.wgsl. In a file of their own: a page
// whose queries are only of boxes does not load it.

import package::shared::results::{
  INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_PENDING_REFINE, STATUS_CAPACITY_EXCEEDED
};
import package::kernels::contact-records::{ContactRows, records};
import package::queries::contacts::epa-start::{EpaStart};

fn epaStartRows(start: EpaStart) -> ContactRows {
  let ids = start.ids;
  return ContactRows(
    vec4u(bitcast<vec3u>(start.normal), start.count),
    vec4u(ids[0].x, ids[1].x, ids[2].x, start.info),
    vec4u(ids[0].y, ids[1].y, ids[2].y, bitcast<u32>(start.lower)),
    vec4u(bitcast<u32>(start.upper), ids[3], 0u),
  );
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

// Leaves a pair to the next EPA kernel. If that kernel is a fallback step, the status makes the host run it.
fn storeUnfinished(index: u32) {
  let row = 4u * index + 1u;
  records[row].w |= STATUS_CAPACITY_EXCEEDED;
}
