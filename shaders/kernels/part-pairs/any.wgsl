// Joins the answers of `intersects` for the pairs of parts of each pair of bodies: it is a hit if any pair of parts is.
// A workgroup takes a pair of bodies.

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{firstParts, parameters};
import package::shared::results::{
  infoIterations, infoStatus, INFO_HIT, INFO_ITERATIONS_SHIFT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT,
  STATUS_NOT_CONVERGED, STATUS_OVERLAPPING, STATUS_SEPARATED
};

@group(0) @binding(1) var<storage, read> partRecords: array<u32>;
@group(0) @binding(3) var<storage, read_write> records: array<u32>;

// A bit for each status that a pair of parts has, and INFO_HIT.
var<workgroup> statuses: atomic<u32>;
var<workgroup> mostIterations: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let end = min(parameters.pairCount, parameters.pairCapacity);
  for (var pair = workgroupId.x; pair < end; pair += workgroups.x) {
    joinParts(pair, localIndex);
  }
}

// All invocations of the workgroup call it.
fn joinParts(pair: u32, lane: u32) {
  if (lane == 0u) {
    atomicStore(&statuses, 0u);
    atomicStore(&mostIterations, 0u);
  }
  workgroupBarrier();
  let first = firstParts[pair];
  let end = firstParts[pair + 1u];
  let isKept = end <= parameters.partPairCapacity;
  var own = 0u;
  var iterations = 0u;
  for (var at = first + lane; at < select(first, end, isKept); at += 64u) {
    let info = partRecords[at];
    own |= (1u << infoStatus(info)) | (info & INFO_HIT);
    iterations = max(iterations, infoIterations(info));
  }
  if (own != 0u) {
    atomicOr(&statuses, own);
    atomicMax(&mostIterations, iterations);
  }
  workgroupBarrier();
  if (lane == 0u) {
    let info = joinedStatus(atomicLoad(&statuses)) | (atomicLoad(&mostIterations) << INFO_ITERATIONS_SHIFT);
    // The places of pairs at MOST_SUM and beyond are all MOST_SUM: pairs of bodies there may have pairs of parts.
    let isNone = first == end && end != MOST_SUM;
    records[pair] = select(STATUS_CAPACITY_EXCEEDED, info, isKept || isNone);
  }
}

// Bodies are separated only if it is certain that all parts are.
fn joinedStatus(statuses: u32) -> u32 {
  if ((statuses & (1u << STATUS_INVALID_INPUT)) != 0u) {
    return STATUS_INVALID_INPUT;
  }
  let hit = statuses & INFO_HIT;
  if ((statuses & (1u << STATUS_OVERLAPPING)) != 0u) {
    return STATUS_OVERLAPPING | hit;
  }
  return select(STATUS_SEPARATED, STATUS_NOT_CONVERGED, (statuses & (1u << STATUS_NOT_CONVERGED)) != 0u) | hit;
}
