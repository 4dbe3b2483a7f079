// Depth of two overlapping polytopes, exactly: the least height of B - A along a unit vector n is greatest along the
// normal of a face of A, of a face of B, or of a pair of edges, where the arcs of the two Gauss maps cross. (Arcs by
// what their ends know: after the Gauss-map test of box3d and cairnc's "sat_blog", 2025; with a bound in place of a
// walk.)
//
// The least height of a body over a face's plane is that of its lowest vertex, and no more than that of any other one.
// So a face is compared with vertices that are known already, and its lowest vertex is looked for only if all of them
// are higher than the best so far.
//
// On an arc between the normals n0 and n1 the height of any vertex of the other body along n(t) = n0 + t (n1 - n0) is a
// line in t, and the least height is below all of them. Of two vertices the lines cross at one t, and nowhere on the
// arc is the least height above `value(t) / |n(t)|` there: on the unit sphere a point's height has no greatest value
// where it is negative. So an arc whose ends' vertices rule it out is done, as nearly all are. Otherwise the lowest
// vertex along n(t) is either one of the two, which makes n(t) a normal where the other's arc crosses, or a third one,
// to go on with on either side.
//
// Faces and arcs are ruled out by points of B - A only, so the bound holds whatever else rounding did.
//
// The faces of the body with more arcs come first, then the faces and the arcs of the other one, in blocks: go through
// all of a block in step and mark those that known vertices do not rule out. Then take the marked ones, first the most
// promising face: go on to the next one that still needs a vertex, look for the vertex, use it.
//
//     arcs              phases, rounds, blocks
//       begin           the first known vertices: those of GJK's simplex
//       searchBlock     the loop over what is marked, with the one call of the support mapping
//         takeCandidate
//         lookAtArc     compares an arc with known vertices
//         splitArc      goes on with one side of a crossing
//
// One invocation per pair does this, or several share the faces and arcs (arcs/lanes.wgsl).

import package::arcs::candidates::{
  CANDIDATE_BLOCK, Candidates, NO_TOP, bitOf, candidateArcs, candidateFaces, faceOf, firstOf, stepOf
};
import package::arcs::lanes::{LANES, shareBest};
import package::arcs::crossing::{Crossing, crossingOf, heightOver};
import package::arcs::ends::{ArcEnds, endsAmong};
import package::arcs::gauss-map::{GaussMap, normalOfStep, planeOf};
import package::arcs::known::{Known, heightsOver, leastOf, leastOverArc, withFirstTwice, withKnown};
import package::arcs::winner::{ARC, FACE, NOTHING, Winner};
import package::kernels::pending-records::{simplexVertex};
import package::shared::adapter::{bodiesOf};
import package::shared::constants::{ARC_STEPS, ARC_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core};
import package::shared::support-of-polytope::{supportOfPolytope, vertexOfPolytope};

struct ArcsResult {
  // In A's frame; zero if no face or arc is better than what was known. No height of B - A along any unit vector is
  // above `upper`.
  normal: vec3f,
  upper: f32,
  winner: Winner,
}

// Phases of the search, in order. E is the body with fewer arcs, H the other one.
const FACES_OF_H: u32 = 0u;
const FACES_OF_E: u32 = 1u;
const ARCS_OF_E: u32 = 2u;

const TIE: f32 = ARC_TIE_ULPS * EPSILON;

// The body whose faces and arcs are searched, and how the other one's vertices get into its frame.
struct Side {
  isOfB: bool,
  map: GaussMap,
  core: Core,
  toFrame: mat3x3f,
  origin: vec3f,
}

struct Search {
  isArc: bool,
  // A face or an arc has at least this height, less a TIE so that an equal height counts.
  best: f32,
  upper: f32,
  winner: Winner,
  known: Known,
  candidates: Candidates,
}

// The face or arc that is looked at.
struct OpenItem {
  isOpen: bool,
  // The face, or the step that ends the arc; the planes at its start and end.
  item: u32,
  plane: vec4f,
  end: vec4f,
  // Of an arc: vertices that are no higher than the best at its start and end, if they are found. Then, from step 1 on,
  // those whose lines cross, and the one beyond the right one, if that is not the last one.
  ends: ArcEnds,
  last: vec3f,
  isLast: bool,
  step: u32,
  crossing: Crossing,
}

// `lower` is the least height along a normal that is known. `start` is the record of the pair's simplex, whose vertices
// are the first known ones. The face or arc `excluded`, if there is one, is left out. All lanes call this together, for
// pairs that are not searched too.
fn arcs(
  pair: Pair, mapA: GaussMap, mapB: GaussMap, lower: f32, start: u32, count: u32, excluded: Winner, isSearched: bool
) -> ArcsResult {
  let arcsOfB = mapA.stepCount == 0u || (mapB.stepCount > 0u && mapB.stepCount < mapA.stepCount);
  let most = 2u * bodiesOf(pair);
  var search: Search;
  search.best = lower - TIE;
  search.upper = -1e30;
  // H first. The frame is kept with the body whose faces are searched, and turned when the bodies change places: kept
  // twice, it would take more registers.
  var side = Side(false, mapA, pair.coreA, pair.rotation, pair.translation);
  var other = Side(true, mapB, pair.coreB, pair.rotation, pair.translation);
  if (!arcsOfB) {
    side = Side(true, mapB, pair.coreB, transpose(pair.rotation), -(pair.translation * pair.rotation));
    other = Side(false, mapA, pair.coreA, side.toFrame, side.origin);
  }
  for (var phase = FACES_OF_H; phase <= ARCS_OF_E; phase++) {
    search.isArc = phase == ARCS_OF_E;
    if (phase == FACES_OF_E) {
      // If E is A, this is the pair's translation to rounding. Keeping the exact one through the first phase takes 192
      // registers in place of 144 for hulls of 8 points, by an AMD compiler (navi31).
      let origin = -(side.origin * side.toFrame);
      let toFrame = transpose(side.toFrame);
      let before = side;
      side = other;
      other = before;
      side.origin = origin;
      side.toFrame = toFrame;
    }
    if (!search.isArc) {
      search.known = begin(side, other.core, start, count, most);
    }
    let itemCount = select(0u, select(side.map.normalCount, side.map.stepCount, search.isArc), isSearched);
    // At first each of several lanes tries its most promising face only: with the best of all lanes, few others are
    // left. If there are several blocks, the first round takes all of them. All lanes go through both rounds.
    let rounds = select(1u, 2u, LANES > 1u && phase == FACES_OF_H);
    let isOneBlock = itemCount <= CANDIDATE_BLOCK;
    for (var round = 0u; round < rounds; round++) {
      let end = select(0u, itemCount, round == 0u || isOneBlock);
      for (var first = 0u; first < end; first += CANDIDATE_BLOCK) {
        if (round == 0u) {
          if (search.isArc) {
            search.candidates = candidateArcs(side.map, first, search.known, search.best);
          } else {
            search.candidates = candidateFaces(side.map, first, search.known, search.best);
          }
        }
        searchBlock(side, other.core, first, excluded, isOneBlock && round + 1u < rounds, &search);
      }
      let together = shareBest(search.best, search.upper, search.winner);
      search.best = together.best;
      search.upper = together.upper;
      search.winner = together.winner;
    }
  }
  var result = ArcsResult(vec3f(0.0), max(search.upper, search.best + TIE), search.winner);
  if (search.winner.kind != NOTHING) {
    result.normal = normalize(search.winner.normal);
    if (search.winner.isOfB) {
      result.normal = -select(side.toFrame * result.normal, result.normal * side.toFrame, arcsOfB);
    }
  }
  if (mapA.stepCount + mapB.stepCount == 0u) {
    // Nothing is known but that the pair overlaps.
    result.upper = 0.0;
  }
  return result;
}

// The known vertices to begin with: those of GJK's simplex.
fn begin(side: Side, core: Core, start: u32, count: u32, most: u32) -> Known {
  var known: Known;
  // Four vertices, which are loaded one after the other on software adapters.
  for (var i = 0u; i < most; i++) {
    let id = simplexVertex(start, select(0u, i, i < count));
    known = withKnown(known, side.toFrame * vertexOfPolytope(core, select(id.x, id.y, !side.isOfB)) + side.origin);
  }
  return withFirstTwice(known);
}

// Goes through the candidates of a block, or the first of them. One call of the support mapping for all.
fn searchBlock(side: Side, core: Core, first: u32, excluded: Winner, onlyTop: bool, search: ptr<function, Search>) {
  var open: OpenItem;
  var isEnd = false;
  loop {
    // To the next one that needs a vertex.
    var needsVertex = open.step > 0u;
    while (!needsVertex) {
      if (!open.isOpen) {
        if (all((*search).candidates.bits == vec2u(0u)) || isEnd) {
          break;
        }
        isEnd = onlyTop;
        takeCandidate(side, first, excluded, search, &open);
      } else if ((*search).isArc) {
        needsVertex = lookAtArc(search, &open);
      } else {
        open.isOpen = leastOf(heightsOver(open.plane, (*search).known)) > (*search).best;
        needsVertex = open.isOpen;
      }
    }
    if (!needsVertex) {
      break;
    }
    let along = directionOf((*search).isArc, &open);
    let point = side.toFrame * supportOfPolytope(core, -(along * side.toFrame)).position + side.origin;
    (*search).known = withKnown((*search).known, point);
    if (!(*search).isArc) {
      let height = heightOver(open.plane, point);
      if (height > (*search).best) {
        (*search).best = height;
        (*search).winner = Winner(FACE, open.item, side.isOfB, open.plane.xyz);
      }
      open.isOpen = false;
    } else if (open.step == 0u) {
      // The lowest vertex at an end.
      if (!open.ends.hasLeft) {
        open.ends.left = point;
        open.ends.hasLeft = true;
      } else {
        open.ends.right = point;
        open.ends.hasRight = true;
      }
    } else {
      splitArc(point, along, side.isOfB, search, &open);
    }
  }
}

// Opens the next candidate, unless it is the excluded one.
fn takeCandidate(
  side: Side, first: u32, excluded: Winner, search: ptr<function, Search>, candidate: ptr<function, OpenItem>
) {
  var bit = firstOf((*search).candidates.bits);
  if ((*search).candidates.top != NO_TOP) {
    bit = (*search).candidates.top;
    (*search).candidates.top = NO_TOP;
  }
  (*search).candidates.bits &= ~bitOf(bit);
  let isArc = (*search).isArc;
  let item = select(faceOf(first, bit), stepOf(side.map, first, bit), isArc);
  var face = item;
  if (isArc) {
    (*candidate).end = planeOf(side.map, normalOfStep(side.map, item));
    face = normalOfStep(side.map, item - 1u);
  }
  (*candidate).plane = planeOf(side.map, face);
  (*candidate).item = item;
  (*candidate).ends.hasLeft = false;
  (*candidate).ends.hasRight = false;
  (*candidate).isOpen = !(
    item == excluded.number && side.isOfB == excluded.isOfB && excluded.kind == select(FACE, ARC, isArc)
  );
}

// Compares an arc with the known vertices. Returns whether it needs another one.
fn lookAtArc(search: ptr<function, Search>, candidate: ptr<function, OpenItem>) -> bool {
  let over = heightsOver((*candidate).plane, (*search).known);
  let atEnds = heightsOver((*candidate).end, (*search).known);
  // A vertex that is no higher than the best at both ends is so on the whole arc.
  (*candidate).isOpen = leastOverArc(over, atEnds) > (*search).best;
  if (!(*candidate).isOpen) {
    return false;
  }
  (*candidate).ends = endsAmong(
    (*search).known, (*candidate).plane, over, (*candidate).end, atEnds, (*search).best, (*candidate).ends
  );
  if (!(*candidate).ends.hasLeft || !(*candidate).ends.hasRight) {
    return true;
  }
  (*candidate).last = (*candidate).ends.right;
  (*candidate).isLast = true;
  findCrossing((*search).best + TIE, candidate);
  (*candidate).isOpen = (*candidate).crossing.isHigher;
  (*candidate).step = select(0u, 1u, (*candidate).isOpen);
  return (*candidate).isOpen;
}

fn findCrossing(limit: f32, candidate: ptr<function, OpenItem>) {
  (*candidate).crossing = crossingOf(
    (*candidate).plane, (*candidate).end, (*candidate).ends.left, (*candidate).ends.right, limit
  );
}

// Along which a vertex is looked for: of a face, at an end of an arc, or where two lines cross.
fn directionOf(isArc: bool, candidate: ptr<function, OpenItem>) -> vec3f {
  let n0 = (*candidate).plane.xyz;
  let n1 = (*candidate).end.xyz;
  let ofArc = select(
    select(n1, n0, !(*candidate).ends.hasLeft), mix(n0, n1, (*candidate).crossing.t), (*candidate).step > 0u
  );
  return select(n0, ofArc, isArc);
}

// Goes on with one side of the point where two lines cross, which has the lowest vertex `point`.
fn splitArc(
  point: vec3f, along: vec3f, isOfB: bool, search: ptr<function, Search>, candidate: ptr<function, OpenItem>
) {
  let height = mix(
    heightOver((*candidate).plane, point), heightOver((*candidate).end, point), (*candidate).crossing.t
  );
  var isDone = false;
  if (height < (*candidate).crossing.onChord - TIE) {
    (*candidate).ends.right = point;
    (*candidate).isLast = false;
  } else {
    // Nothing is lower there: what is left lies beyond the right one.
    (*search).upper = max((*search).upper, (*candidate).crossing.height);
    let found = min((*candidate).crossing.height, height * inverseSqrt(dot(along, along)));
    if (found > (*search).best) {
      (*search).best = found;
      (*search).winner = Winner(ARC, (*candidate).item, isOfB, along);
    }
    isDone = (*candidate).isLast;
    passRight(candidate);
  }
  findCrossing((*search).best + TIE, candidate);
  if (!(*candidate).crossing.isHigher && !(*candidate).isLast) {
    passRight(candidate);
    findCrossing((*search).best + TIE, candidate);
  }
  (*candidate).step += 1u;
  isDone = isDone || !(*candidate).crossing.isHigher;
  if (!isDone && (*candidate).step > ARC_STEPS) {
    (*search).upper = max((*search).upper, (*candidate).crossing.height);
    isDone = true;
  }
  if (isDone) {
    (*candidate).step = 0u;
    (*candidate).isOpen = false;
  }
}

fn passRight(candidate: ptr<function, OpenItem>) {
  (*candidate).ends.left = (*candidate).ends.right;
  (*candidate).ends.right = (*candidate).last;
  (*candidate).isLast = true;
}
