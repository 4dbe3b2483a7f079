// The faces and the arcs that known vertices may not rule out, in blocks of up to 64 per lane. All invocations go
// through them in lockstep, by coarse planes of two words each. The few that are left are searched afterwards.

import package::arcs::gauss-map::{COARSE_ONE, CoarsePlanes, GaussMap, coarseFaces, coarseSteps};
import package::arcs::lanes::{LANES, laneOf};
import package::arcs::known::{Known, greatestSum, heightsOver, leastOf, leastOverArc, scaledBy};

const LANE_BITS: u32 = 64u;
// As many as all lanes of a pair have bits for.
override CANDIDATE_BLOCK: u32 = LANE_BITS * LANES;
const NO_TOP: u32 = 0xffffffffu;
// Share of a coarse plane's unit that f32 rounding of heights may add.
const COARSE_ROUNDING: f32 = 0.125;

struct Candidates {
  // A bit for each.
  bits: vec2u,
  // Whose least height of the known vertices is greatest, counted as the bits are.
  top: u32,
}

// Known vertices in the unit of coarse planes, and a limit for heights over coarse planes: a height over the exact
// plane that exceeds the caller's limit exceeds this one over the coarse plane.
struct Coarse {
  known: Known,
  limit: f32,
}

fn coarseFrom(map: GaussMap, known: Known, limit: f32) -> Coarse {
  let scaled = scaledBy(known, 1.0 / map.reach);
  let off = (0.5 + COARSE_ROUNDING) * greatestSum(scaled) + 1.0 + COARSE_ROUNDING;
  return Coarse(scaled, COARSE_ONE * (limit / map.reach) - off);
}

// Of the faces from `first` on, this lane's over which all known vertices are higher than `limit`.
fn candidateFaces(map: GaussMap, first: u32, known: Known, limit: f32) -> Candidates {
  let coarse = coarseFrom(map, known, limit);
  var found = Candidates(vec2u(0u), NO_TOP);
  var greatest = -1e30;
  let end = min(map.normalCount, first + CANDIDATE_BLOCK);
  var bit = 0u;
  for (var face = first + 2u * laneOf(); face < end; face += 2u * LANES) {
    let planes = coarseFaces(map, face >> 1u);
    let least = vec2f(
      leastOf(heightsOver(planes.first, coarse.known)), leastOf(heightsOver(planes.second, coarse.known))
    );
    let areCandidates = candidatesOf(least, planes, coarse.limit);
    if (any(areCandidates)) {
      found.bits |= bitsOf(bit, areCandidates);
      let isFirst = areCandidates.x && !(areCandidates.y && least.y > least.x);
      let higher = select(least.y, least.x, isFirst);
      if (higher > greatest) {
        greatest = higher;
        found.top = select(bit + 1u, bit, isFirst);
      }
    }
    bit += 2u;
  }
  return found;
}

// Lanes take pairs of faces in turn. The rows of a pair are adjacent.
fn faceOf(first: u32, bit: u32) -> u32 {
  return first + LANES * (bit & ~1u) + 2u * laneOf() + (bit & 1u);
}

// Of the steps from `first` on, this lane's with an arc on which no known vertex is as low as `limit` at both ends.
fn candidateArcs(map: GaussMap, first: u32, known: Known, limit: f32) -> Candidates {
  let coarse = coarseFrom(map, known, limit);
  var found = Candidates(vec2u(0u), NO_TOP);
  let ownFirst = stepOf(map, first, 0u);
  let count = min(stepOf(map, first, stepsPerLane(map, first)), map.stepCount) - min(ownFirst, map.stepCount);
  var start = heightsOver(coarseSteps(map, (max(ownFirst, 2u) - 2u) >> 1u).second, coarse.known);
  for (var bit = 0u; bit < count; bit += 2u) {
    let planes = coarseSteps(map, (ownFirst + bit) >> 1u);
    let middle = heightsOver(planes.first, coarse.known);
    let end = heightsOver(planes.second, coarse.known);
    let areCandidates = candidatesOf(
      vec2f(leastOverArc(start, middle), leastOverArc(middle, end)), planes, coarse.limit
    );
    if (any(areCandidates)) {
      found.bits |= bitsOf(bit, areCandidates);
    }
    start = end;
  }
  return found;
}

// Each lane takes a run of steps, as an arc starts where the one before ends.
fn stepOf(map: GaussMap, first: u32, bit: u32) -> u32 {
  return first + stepsPerLane(map, first) * laneOf() + bit;
}

// An even number.
fn stepsPerLane(map: GaussMap, first: u32) -> u32 {
  let count = min(map.stepCount - first, CANDIDATE_BLOCK);
  return 2u * ((count + 2u * LANES - 1u) / (2u * LANES));
}

fn candidatesOf(least: vec2f, planes: CoarsePlanes, limit: f32) -> vec2<bool> {
  return planes.areSet & (least > vec2f(limit));
}

// The bits of candidates i, which is even, and i + 1.
fn bitsOf(i: u32, areCandidates: vec2<bool>) -> vec2u {
  return inWord(i, select(0u, 1u, areCandidates.x) | select(0u, 2u, areCandidates.y));
}

fn bitOf(i: u32) -> vec2u {
  return inWord(i, 1u);
}

fn inWord(i: u32, bits: u32) -> vec2u {
  let shifted = bits << (i & 31u);
  return select(vec2u(shifted, 0u), vec2u(0u, shifted), i >= 32u);
}

// The first of a set that is not empty.
fn firstOf(bits: vec2u) -> u32 {
  return select(firstTrailingBit(bits.x), 32u + firstTrailingBit(bits.y), bits.x == 0u);
}
