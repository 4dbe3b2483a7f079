// Records of pairs that wait for a later stage, in the rows of contact-records.wgsl. In a file of their own: a page
// whose queries are only of boxes does not load it.

import package::shared::results::{
  INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_PENDING_REFINE, STATUS_CAPACITY_EXCEEDED
};
import package::arcs::winner::{NOTHING, Winner};
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
  return EpaStart(
    bitcast<vec3f>(axis.xyz), bitcast<f32>(other.w), bitcast<f32>(last.x), middle.w, ids, axis.w & COUNT_BITS
  );
}

// Vertex i of the simplex in a record.
fn simplexVertex(index: u32, i: u32) -> vec2u {
  let row = 4u * index + 1u;
  if (i == 3u) {
    return records[row + 2u].yz;
  }
  return vec2u(records[row][i], records[row + 1u][i]);
}

// The word with the number of points in the simplex also has the face or arc that a search by the arcs found, and
// whether there were no points along its normal.
const COUNT_BITS: u32 = 7u;
const WINNER_KIND: u32 = 3u;       // shift, 2 bits
const WINNER_OF_B: u32 = 1u << 5u;
const WINNER_NUMBER: u32 = 6u;     // shift, 25 bits
const HAD_NO_POINTS: u32 = 1u << 31u;

// Stores the normal that a search by the arcs found, if it is better than the one in the record, and a bound: no height
// along any direction is above it. The bound of the first search stays, because the second one leaves out a face or an
// arc.
fn storeArcsNormal(index: u32, normal: vec3f, bound: f32, winner: Winner) {
  let row = 4u * index;
  let word = records[row].w;
  if (winner.kind != NOTHING) {
    let found = (winner.kind << WINNER_KIND) | select(0u, WINNER_OF_B, winner.isOfB) | (winner.number << WINNER_NUMBER);
    records[row] = vec4u(bitcast<vec3u>(normal), (word & (COUNT_BITS | HAD_NO_POINTS)) | found);
  }
  if ((word & HAD_NO_POINTS) == 0u) {
    records[row + 3u].w = bitcast<u32>(bound);
  }
}

// A pair without points along its normal. `isSearchedNext`: another search follows, without the face or arc that this
// one found.
fn storeWithoutPoints(index: u32, lower: f32, upper: f32, info: u32, isSearchedNext: bool) {
  let row = 4u * index;
  records[row].w = (records[row].w & ~HAD_NO_POINTS) | select(0u, HAD_NO_POINTS, isSearchedNext);
  records[row + 1u].w = info;
  records[row + 2u].w = bitcast<u32>(lower);
  records[row + 3u].x = bitcast<u32>(upper);
}

// Whether the pair had no points before its last search.
fn isSearchedAgain(index: u32) -> bool {
  return (records[4u * index].w & HAD_NO_POINTS) != 0u;
}

// The face or arc that had no points.
fn loadExcluded(index: u32) -> Winner {
  let word = records[4u * index].w;
  let kind = select(NOTHING, (word >> WINNER_KIND) & 3u, (word & HAD_NO_POINTS) != 0u);
  return Winner(kind, (word & ~HAD_NO_POINTS) >> WINNER_NUMBER, (word & WINNER_OF_B) != 0u, vec3f(0.0));
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
