// Invocations of a workgroup, the lanes of a pair, share its faces and arcs. Between the phases of the search each gets
// the best that any of them has found. All invocations of the workgroup call shareBest together.

import package::arcs::winner::{Winner};

// Lanes per pair: a power of two.
override LANES: u32 = 8u;

const WORKGROUP_SIZE: u32 = 64u;

var<private> lane: u32;
// The place of lane 0 in the workgroup.
var<private> firstLane: u32;

var<workgroup> bests: array<f32, WORKGROUP_SIZE>;
var<workgroup> uppers: array<f32, WORKGROUP_SIZE>;
// One for each pair.
var<workgroup> winners: array<Winner, WORKGROUP_SIZE / 2u>;

fn setLane(localIndex: u32) {
  lane = localIndex & (LANES - 1u);
  firstLane = localIndex - lane;
}

fn laneOf() -> u32 {
  return lane;
}

struct SharedBest {
  best: f32,
  upper: f32,
  winner: Winner,
}

fn shareBest(best: f32, upper: f32, winner: Winner) -> SharedBest {
  if (LANES == 1u) {
    return SharedBest(best, upper, winner);
  }
  bests[firstLane + lane] = best;
  uppers[firstLane + lane] = upper;
  workgroupBarrier();
  var found = SharedBest(bests[firstLane], uppers[firstLane], winner);
  var owner = 0u;
  for (var other = 1u; other < LANES; other++) {
    let ofOther = bests[firstLane + other];
    owner = select(owner, other, ofOther > found.best);
    found.best = max(found.best, ofOther);
    found.upper = max(found.upper, uppers[firstLane + other]);
  }
  if (owner == lane) {
    winners[firstLane >> 1u] = winner;
  }
  workgroupBarrier();
  found.winner = winners[firstLane >> 1u];
  workgroupBarrier();
  return found;
}
