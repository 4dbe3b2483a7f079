// Depth of two overlapping polytopes, exactly, whatever EPA made of them: the least height of B - A along a unit vector
// n is greatest along the normal of a face of A, of a face of B, or of a pair of edges, where the arcs of the two Gauss
// maps cross. (Arcs by what their ends know: after the Gauss-map test of box3d and cairnc's "sat_blog", 2025; with a
// bound in place of a walk.)
//
// Faces are tried one by one. On an arc of one polytope between the normals n0 and n1 the height of any point p of B -
// A along n(t) = n0 + t (n1 - n0) is a line in t, and the least height is below all of them. Of two points the lines
// cross at one t, and nowhere on the arc is the least height above `value(t) / |n(t)|` there: on the unit sphere a
// point's height has no greatest value where it is negative. So an arc whose two supports at the ends rule it out is
// done, as nearly all are. Otherwise the support along n(t) is either one of the two, which makes n(t) a normal where
// the other's arc crosses, or a third point, to go on with on either side.
//
// No memory is needed, however many vertices there are. What is passed over is passed over by points that are in B - A:
// the bound holds whatever else rounding did.

import package::shared::constants::{ARC_STEPS, ARC_TIE_ULPS};
import package::shared::geometry::{candidateRows, geometryArc, geometryCounts, geometryVector};
import package::shared::math::{EPSILON, unitAxis};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape, CORE_BOX};
import package::shared::support::{differenceSupport};

struct ArcsResult {
  // The least height of B - A along the unit vector `normal`, and a bound of what it is along any other.
  normal: vec3f,
  lower: f32,
  upper: f32,
}

// `normal` is one that is known, with its least height `lower`.
fn arcs(pair: Pair, shapeA: Shape, shapeB: Shape, normal: vec3f, lower: f32) -> ArcsResult {
  var best = ArcsResult(normal, lower, -1e30);
  // Arcs of the one that has fewer of them.
  let mapA = gaussMapOf(shapeA);
  let mapB = gaussMapOf(shapeB);
  let isB = mapA.arcCount == 0u || (mapB.arcCount > 0u && mapB.arcCount < mapA.arcCount);
  var map = mapA;
  if (isB) {
    map = mapB;
  }
  let faceCount = mapA.normalCount + mapB.normalCount;
  if (map.arcCount == 0u) {
    // Nothing is known but that the pair overlaps.
    best.upper = 0.0;
  }

  // The arc, or a face as one without a length, and where on it the next support is asked for.
  var arc = Arc(vec3f(0.0), vec3f(0.0));
  var t = 0.0;
  var step = 0u;
  // Supports on either side of the crossing, and the one at the arc's end.
  var left = vec3f(0.0);
  var right = vec3f(0.0);
  var last = vec3f(0.0);
  var isLast = false;
  // All faces and arcs in one loop, a support each time: the support mapping is inlined wherever it is called.
  for (var item = 0u; item < faceCount + map.arcCount;) {
    let isFace = item < faceCount;
    if (step == 0u) {
      t = 0.0;
      if (isFace) {
        let isOfB = item >= mapA.normalCount;
        if (isOfB) {
          arc = Arc(normalAt(pair, mapB, item - mapA.normalCount, isOfB), vec3f(0.0));
        } else {
          arc = Arc(normalAt(pair, mapA, item, isOfB), vec3f(0.0));
        }
      } else {
        let ends = endsOf(map, item - faceCount);
        let start = normalAt(pair, map, ends.x, isB);
        arc = Arc(start, normalAt(pair, map, ends.y, isB) - start);
      }
    }
    let along = arc.start + t * arc.chord;
    let toUnit = inverseSqrt(dot(along, along));
    let point = differenceSupport(pair, -along).position;
    let height = dot(along, point);
    if (height * toUnit > best.lower) {
      best.lower = height * toUnit;
      best.normal = along * toUnit;
    }
    if (step == 0u && !isFace) {
      left = point;
      t = 1.0;
      step = 1u;
      continue;
    }

    var isDone = isFace;
    if (step == 1u) {
      last = point;
      right = point;
      isLast = true;
    } else if (step > 1u) {
      let crossing = min(dot(along, left), dot(along, right));
      let isCrossing = height >= crossing - ARC_TIE_ULPS * EPSILON;
      if (isCrossing) {
        // Nothing is lower there: what is left lies beyond the right one.
        best.upper = max(best.upper, crossing * toUnit);
        isDone = isLast;
        left = right;
      } else {
        right = point;
      }
      isLast = isCrossing || step == ARC_STEPS;
      right = select(right, last, isLast);
    }
    step += 1u;
    if (!isDone) {
      var next = crossingOf(arc, left, right);
      if (next.height <= best.lower && !isLast) {
        left = right;
        right = last;
        isLast = true;
        next = crossingOf(arc, left, right);
      }
      t = next.t;
      isDone = next.height <= best.lower;
      if (step > ARC_STEPS) {
        best.upper = max(best.upper, next.height);
        isDone = true;
      }
    }
    if (isDone) {
      item += 1u;
      step = 0u;
    }
  }
  best.upper = max(best.upper, best.lower);
  return best;
}

// Directions from `start` to `start + chord`.
struct Arc {
  start: vec3f,
  chord: vec3f,
}

struct Crossing {
  t: f32,
  height: f32,
}

// Where two points are equally high, and their height there: nowhere on the arc are both higher. The left one is the
// lower one at the arc's start, the right one at its end; where it is not, by rounding, they cross there.
fn crossingOf(arc: Arc, left: vec3f, right: vec3f) -> Crossing {
  let atStart = max(dot(arc.start, right - left), 0.0);
  let atEnd = max(dot(arc.start + arc.chord, left - right), 0.0);
  let t = atStart / max(atStart + atEnd, 1e-30);
  let along = arc.start + t * arc.chord;
  return Crossing(t, min(dot(along, left), dot(along, right)) * inverseSqrt(dot(along, along)));
}

// Rows of the Gauss map of a hull; that of a box is known without.
struct GaussMap {
  isBox: bool,
  firstRow: u32,
  normalCount: u32,
  arcCount: u32,
}

// What neither is a box nor has vertices has no arcs.
fn gaussMapOf(shape: Shape) -> GaussMap {
  var map = GaussMap(shape.kind == CORE_BOX, 0u, 6u, 12u);
  if (!map.isBox) {
    map.normalCount = 0u;
    map.arcCount = 0u;
    if (shape.cellResolution > 0u) {
      // Behind the candidates of the last cell.
      let mapRow = candidateRows(shape.firstCellRow, 6u * shape.cellResolution * shape.cellResolution - 1u).y;
      let counts = geometryCounts(mapRow);
      map.firstRow = mapRow + 1u;
      map.normalCount = counts.x;
      map.arcCount = counts.y;
    }
  }
  return map;
}

// The outward normal of A, or the inward one of B, in A's frame. Those of a box: 2 axis + (1 where positive).
fn normalAt(pair: Pair, map: GaussMap, number: u32, isOfB: bool) -> vec3f {
  var normal = unitAxis(number >> 1u) * select(-1.0, 1.0, (number & 1u) == 1u);
  if (!map.isBox) {
    normal = geometryVector(map.firstRow + number);
  }
  return select(normal, -(pair.rotation * normal), isOfB);
}

// The numbers of the normals at an arc's ends. Those of a box' edges along an axis are between the faces across the two
// others.
fn endsOf(map: GaussMap, arc: u32) -> vec2u {
  if (map.isBox) {
    let axis = arc >> 2u;
    return vec2u(2u * ((axis + 1u) % 3u) + (arc & 1u), 2u * ((axis + 2u) % 3u) + ((arc >> 1u) & 1u));
  }
  return geometryArc(map.firstRow + map.normalCount, arc);
}
