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
// 1. The faces of the body with more arcs, then the faces and the arcs of the other one, in blocks: go through all in
//    step and mark those that known vertices do not rule out. Then take the marked ones, first the most promising face:
//    go on to the next one that still needs a vertex, look for the vertex, use it.
// 2. The height along the best normal once more, by a vertex of each body.
//
// One invocation per pair does this, or several share the faces and arcs (arcs/one-lane.wgsl, arcs/many-lanes.wgsl).

import package::arcs::candidates::{
  CANDIDATE_BLOCK, Candidates, NO_TOP, bitOf, candidateArcs, candidateFaces, faceOf, firstOf, stepOf
};
import package::arcs::lanes::{CHECKS_NORMAL, LANE_ROUNDS, shareBest};
import package::arcs::crossing::{Crossing, crossingOf, heightOver};
import package::arcs::ends::{ArcEnds, endsAmong};
import package::arcs::gauss-map::{GaussMap, normalOfStep, planeOf};
import package::arcs::known::{Known, heightsOver, leastOf, leastOverArc, withFirstTwice, withKnown};
import package::arcs::winner::{ARC, FACE, NOTHING, Winner};
import package::shared::adapter::{bodiesOf};
import package::shared::constants::{ARC_STEPS, ARC_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::support-of-polytope::{supportOfPolytope, vertexOfPolytope};

struct ArcsResult {
  // The least height of B - A along the unit vector `normal`, and a bound of what it is along any other.
  normal: vec3f,
  lower: f32,
  upper: f32,
  // The greatest height of A along it.
  top: f32,
  winner: Winner,
}

// Phases of the search, in order. E is the body with fewer arcs, H the other one.
const FACES_OF_H: u32 = 0u;
const FACES_OF_E: u32 = 1u;
const ARCS_OF_E: u32 = 2u;
const CHECK_H: u32 = 3u;
const CHECK_E: u32 = 4u;

// `normal` is one that is known, with its least height `lower`; `ids` are `count` vertices of B - A to begin with. The
// face or arc `excluded`, if there is one, is left out. Several lanes leave `lower` and `top` of the result as they
// are, and all of them call this together: for pairs that are not searched too.
fn arcs(
  pair: Pair, mapA: GaussMap, mapB: GaussMap, normal: vec3f, lower: f32, ids: array<vec2u, 4>, count: u32,
  excluded: Winner, isSearched: bool
) -> ArcsResult {
  let tie = ARC_TIE_ULPS * EPSILON;
  let arcsOfB = mapA.stepCount == 0u || (mapB.stepCount > 0u && mapB.stepCount < mapA.stepCount);
  var result: ArcsResult;
  result.normal = normal;
  // A face or an arc has at least this height, less a tie so that an equal height counts.
  var best = lower - tie;
  var upper = -1e30;
  var least = 0.0;
  var known: Known;
  let lastPhase = select(ARCS_OF_E, CHECK_E, CHECKS_NORMAL);
  for (var phase = FACES_OF_H; phase <= lastPhase; phase++) {
    // The body whose faces these are, and the other one's vertices in its frame.
    let isOfB = (phase == FACES_OF_E || phase == ARCS_OF_E || phase == CHECK_E) == arcsOfB;
    var map = mapA;
    var core = pair.coreB;
    var toFrame = pair.rotation;
    var origin = pair.translation;
    var along = result.normal;
    if (isOfB) {
      map = mapB;
      core = pair.coreA;
      toFrame = transpose(pair.rotation);
      origin = -(pair.translation * pair.rotation);
      along = -(result.normal * pair.rotation);
    }
    if (phase <= FACES_OF_E) {
      known.next = 0u;
      var begin = ids;
      // Four vertices, which are loaded one after the other on software adapters.
      for (var i = 0u; i < 2u * bodiesOf(pair); i++) {
        let id = begin[0];
        // Not read at a variable index: compilers keep such arrays out of registers.
        begin = array(select(ids[0], begin[1], i + 1u < count), begin[2], begin[3], begin[0]);
        known = withKnown(known, toFrame * vertexOfPolytope(core, select(id.y, id.x, isOfB)) + origin);
      }
      known = withFirstTwice(known);
    }
    let isArc = phase == ARCS_OF_E;
    let isSearch = phase <= ARCS_OF_E;
    let found = select(map.normalCount, map.stepCount, isArc);
    let itemCount = select(1u, select(0u, found, isSearched), isSearch);
    // In the first of two rounds each lane tries its most promising face.
    let rounds = select(1u, LANE_ROUNDS, phase == FACES_OF_H);
    var candidates = Candidates(vec4u(0u), NO_TOP);
    for (var round = 0u; round < rounds; round++) {
      for (var first = 0u; first < itemCount; first += CANDIDATE_BLOCK) {
        var left = vec3f(0.0);
        var right = vec3f(0.0);
        var last = vec3f(0.0);
        var ends = ArcEnds(vec3f(0.0), vec3f(0.0), false, false);
        var isLast = false;
        var step = 0u;
        var crossing = Crossing(0.0, 0.0, 0.0, false);
        var item = first;
        var plane = vec4f(0.0);
        var end = vec4f(0.0);
        if (round == 0u) {
          candidates = Candidates(vec4u(0u), NO_TOP);
          if (isArc) {
            candidates = candidateArcs(map, first, known, best);
          } else if (isSearch) {
            candidates = candidateFaces(map, first, known, best);
          }
        }
        var isOpen = !isSearch;
        var isEnd = false;
        loop {
          // To the next one that needs a vertex.
          var needsVertex = step > 0u || !isSearch;
          while (!needsVertex) {
            if (!isOpen) {
              if (all(candidates.bits == vec4u(0u)) || isEnd) {
                break;
              }
              isEnd = round + 1u < rounds;
              var bit = firstOf(candidates.bits);
              if (candidates.top != NO_TOP) {
                bit = candidates.top;
                candidates.top = NO_TOP;
              }
              candidates.bits &= ~bitOf(bit);
              item = select(faceOf(first, bit), stepOf(map, first, bit), isArc);
              var face = item;
              if (isArc) {
                end = planeOf(map, normalOfStep(map, item));
                face = normalOfStep(map, item - 1u);
              }
              plane = planeOf(map, face);
              ends.hasLeft = false;
              ends.hasRight = false;
              isOpen = !(
                item == excluded.number && isOfB == excluded.isOfB && excluded.kind == select(FACE, ARC, isArc)
              );
              continue;
            }
            let over = heightsOver(plane, known);
            if (!isArc) {
              isOpen = leastOf(over) > best;
              needsVertex = isOpen;
              along = plane.xyz;
              continue;
            }
            let atEnds = heightsOver(end, known);
            // A vertex that is no higher than the best at both ends is so on the whole arc.
            isOpen = leastOverArc(over, atEnds) > best;
            if (!isOpen) {
              continue;
            }
            ends = endsAmong(known, plane, over, end, atEnds, best, ends);
            needsVertex = true;
            along = select(end.xyz, plane.xyz, !ends.hasLeft);
            if (ends.hasLeft && ends.hasRight) {
              left = ends.left;
              right = ends.right;
              crossing = crossingOf(plane, end, left, right, best + tie);
              isOpen = crossing.isHigher;
              needsVertex = isOpen;
              last = right;
              isLast = true;
              step = select(0u, 1u, isOpen);
              along = mix(plane.xyz, end.xyz, crossing.t);
            }
          }
          if (!needsVertex) {
            break;
          }

          let point = toFrame * supportOfPolytope(core, -(along * toFrame)).position + origin;
          if (!isSearch) {
            let height = dot(along, point);
            least += height;
            if (isOfB) {
              result.top = dot(result.normal, pair.translation) - height;
            }
            break;
          }
          known = withKnown(known, point);
          if (!isArc) {
            let height = heightOver(plane, point);
            if (height > best) {
              best = height;
              result.winner = Winner(FACE, item, isOfB, plane.xyz);
            }
            isOpen = false;
            continue;
          }
          if (step == 0u) {
            // The lowest vertex at an end.
            if (!ends.hasLeft) {
              ends.left = point;
              ends.hasLeft = true;
            } else {
              ends.right = point;
              ends.hasRight = true;
            }
            continue;
          }
          let height = mix(heightOver(plane, point), heightOver(end, point), crossing.t);
          var isDone = false;
          if (height < crossing.onChord - tie) {
            right = point;
            isLast = false;
          } else {
            // Nothing is lower there: what is left lies beyond the right one.
            upper = max(upper, crossing.height);
            let found = min(crossing.height, height * inverseSqrt(dot(along, along)));
            if (found > best) {
              best = found;
              result.winner = Winner(ARC, item, isOfB, along);
            }
            isDone = isLast;
            left = right;
            right = last;
            isLast = true;
          }
          crossing = crossingOf(plane, end, left, right, best + tie);
          if (!crossing.isHigher && !isLast) {
            left = right;
            right = last;
            isLast = true;
            crossing = crossingOf(plane, end, left, right, best + tie);
          }
          step += 1u;
          isDone = isDone || !crossing.isHigher;
          if (!isDone && step > ARC_STEPS) {
            upper = max(upper, crossing.height);
            isDone = true;
          }
          along = mix(plane.xyz, end.xyz, crossing.t);
          if (isDone) {
            step = 0u;
            isOpen = false;
          }
        }
      }
      let together = shareBest(best, upper, result.winner);
      best = together.best;
      upper = together.upper;
      result.winner = together.winner;
    }
    if (isArc && result.winner.kind != NOTHING) {
      result.normal = normalize(result.winner.normal);
      if (result.winner.isOfB) {
        result.normal = -(pair.rotation * result.normal);
      }
    }
  }
  result.upper = max(upper, best + tie);
  if (CHECKS_NORMAL) {
    // What supports make of the normal is certain, whatever rounding did before.
    result.lower = least - dot(result.normal, pair.translation);
    result.upper = max(result.upper, result.lower);
  }
  if (mapA.stepCount + mapB.stepCount == 0u) {
    // Nothing is known but that the pair overlaps.
    result.upper = 0.0;
  }
  return result;
}
