// The faces and the arcs that known vertices may not rule out, up to 128 at once. All invocations go through them in
// step, by coarse planes of two words each. The few that are left are searched afterwards.

import package::arcs::gauss-map::{COARSE_ONE, CoarsePlanes, GaussMap, coarseFaces, coarseSteps};
import package::arcs::known::{Known, greatestSum, heightsOver, leastOf, leastOverArc, scaledBy};

const CANDIDATE_BLOCK: u32 = 128u;
const NO_TOP: u32 = 0xffffffffu;
// Share of a coarse plane's unit that f32 rounding of heights may add.
const COARSE_ROUNDING: f32 = 0.125;

struct Candidates {
  // A bit for each.
  bits: vec4u,
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

// The faces from `first` on over which all known vertices are higher than `limit`.
fn candidateFaces(map: GaussMap, first: u32, known: Known, limit: f32) -> Candidates {
  let coarse = coarseFrom(map, known, limit);
  var found = Candidates(vec4u(0u), NO_TOP);
  var greatest = -1e30;
  let count = min(map.normalCount - first, CANDIDATE_BLOCK);
  for (var i = 0u; i < count; i += 2u) {
    let planes = coarseFaces(map, (first + i) >> 1u);
    let least = vec2f(
      leastOf(heightsOver(planes.first, coarse.known)), leastOf(heightsOver(planes.second, coarse.known))
    );
    let areIn = candidatesOf(least, planes, coarse.limit);
    if (any(areIn)) {
      found.bits |= bitsOf(i, areIn);
      let isFirst = areIn.x && !(areIn.y && least.y > least.x);
      let higher = select(least.y, least.x, isFirst);
      if (higher > greatest) {
        greatest = higher;
        found.top = select(i + 1u, i, isFirst);
      }
    }
  }
  return found;
}

// The steps from `first` on with an arc on which no known vertex is as low as `limit` at both ends.
fn candidateArcs(map: GaussMap, first: u32, known: Known, limit: f32) -> Candidates {
  let coarse = coarseFrom(map, known, limit);
  var found = Candidates(vec4u(0u), NO_TOP);
  var start = heightsOver(coarseSteps(map, (max(first, 2u) - 2u) >> 1u).second, coarse.known);
  let count = min(map.stepCount - first, CANDIDATE_BLOCK);
  for (var i = 0u; i < count; i += 2u) {
    let planes = coarseSteps(map, (first + i) >> 1u);
    let middle = heightsOver(planes.first, coarse.known);
    let end = heightsOver(planes.second, coarse.known);
    let areIn = candidatesOf(vec2f(leastOverArc(start, middle), leastOverArc(middle, end)), planes, coarse.limit);
    if (any(areIn)) {
      found.bits |= bitsOf(i, areIn);
    }
    start = end;
  }
  return found;
}

fn candidatesOf(least: vec2f, planes: CoarsePlanes, limit: f32) -> vec2<bool> {
  return planes.areSet & (least > vec2f(limit));
}

// The bits of candidates i, which is even, and i + 1.
fn bitsOf(i: u32, areIn: vec2<bool>) -> vec4u {
  let bits = select(0u, 1u, areIn.x) | select(0u, 2u, areIn.y);
  return select(vec4u(0u), vec4u(bits << (i & 31u)), vec4u(0u, 1u, 2u, 3u) == vec4u(i >> 5u));
}

fn bitOf(i: u32) -> vec4u {
  return select(vec4u(0u), vec4u(1u << (i & 31u)), vec4u(0u, 1u, 2u, 3u) == vec4u(i >> 5u));
}

// The first of a set that is not empty.
fn firstOf(bits: vec4u) -> u32 {
  var word = 3u;
  if (bits.z != 0u) {
    word = 2u;
  }
  if (bits.y != 0u) {
    word = 1u;
  }
  if (bits.x != 0u) {
    word = 0u;
  }
  return 32u * word + firstTrailingBit(bits[word]);
}
