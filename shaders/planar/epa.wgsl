// Penetration depth of two cores in 2-D: the polygon of points of B - A that GJK ended with, a triangle around
// the origin, is expanded at its edge nearest to the origin until that is an edge of B - A itself (van den Bergen,
// "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001, in two dimensions).
//
// The corners are a ring in private memory. An edge is named by its first corner; the ring is counter-clockwise.

import package::shared::constants::{EPA_EXIT_ULPS, EPA_SAME_ULPS, PLANAR_EPA_CORNERS};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, directionOf, rightOf};
import package::planar::pair::{PlanarPair};
import package::planar::simplex::{Simplex};
import package::planar::support::{Point, differenceSupport};

struct EpaResult {
  // Otherwise there was no room, or the triangle was too thin.
  isFound: bool,
  iterations: u32,
  // Bounds of the cores' signed distance, which is negative.
  lower: f32,
  upper: f32,
  // Unit vector from A to B that gave `lower`, in A's frame.
  normal: vec2f,
  // The edge's corners, and the first one's weight in the point nearest to the origin.
  a: Point,
  b: Point,
  weight: f32,
}

var<private> ringPoints: array<Point, PLANAR_EPA_CORNERS>;
var<private> ringNext: array<u32, PLANAR_EPA_CORNERS>;
// For the edge that starts at each corner: its outward normal and its distance from the origin.
var<private> ringEdges: array<vec3f, PLANAR_EPA_CORNERS>;

fn epa(pair: PlanarPair, triangle: Simplex) -> EpaResult {
  var result: EpaResult;
  let isLeft = cross2(triangle.b.position - triangle.a.position, triangle.c.position - triangle.a.position) > 0.0;
  ringPoints[0] = triangle.a;
  ringPoints[1] = triangle.b;
  ringPoints[2] = triangle.c;
  if (!isLeft) {
    ringPoints[1] = triangle.c;
    ringPoints[2] = triangle.b;
  }
  for (var i = 0u; i < 3u; i++) {
    ringNext[i] = select(i + 1u, 0u, i == 2u);
  }
  for (var i = 0u; i < 3u; i++) {
    setEdge(i);
  }
  for (var count = 3u; count <= PLANAR_EPA_CORNERS; count++) {
    var best = 0u;
    for (var i = 1u; i < count; i++) {
      if (ringEdges[i].z < ringEdges[best].z) {
        best = i;
      }
    }
    let edge = ringEdges[best];
    let next = differenceSupport(pair, edge.xy);
    result.iterations += 1u;
    let height = dot(edge.xy, next.position);
    let a = ringPoints[best];
    let b = ringPoints[ringNext[best]];
    let isSame = min(distance(a.position, next.position), distance(b.position, next.position)) <=
        EPA_SAME_ULPS * EPSILON;
    if (height - edge.z <= EPA_EXIT_ULPS * EPSILON || isSame) {
      result.isFound = height - edge.z <= EPA_EXIT_ULPS * EPSILON;
      result.lower = -height;
      result.upper = -edge.z;
      result.normal = -edge.xy;
      let chord = chordOf(best, count);
      result.a = ringPoints[chord.edge];
      result.b = ringPoints[ringNext[chord.edge]];
      result.weight = chord.weight;
      return result;
    }
    if (count == PLANAR_EPA_CORNERS) {
      break;
    }
    ringPoints[count] = next;
    ringNext[count] = ringNext[best];
    ringNext[best] = count;
    setEdge(best);
    setEdge(count);
  }
  return result;
}

struct Chord {
  edge: u32,
  // The weight of the edge's first corner.
  weight: f32,
}

// The chord that holds the point of the best edge's line nearest to the origin: that edge, or one in line with it.
// Where edges of both shapes are parallel, corners of the ring may lie on an edge of B - A.
fn chordOf(best: u32, count: u32) -> Chord {
  let foot = ringEdges[best].xy * ringEdges[best].z;
  var chord = Chord(best, 1.0);
  var leastMiss = 1e30;
  for (var i = 0u; i < count; i++) {
    let toFoot = foot - ringPoints[i].position;
    let along = ringPoints[ringNext[i]].position - ringPoints[i].position;
    let share = clamp(dot(toFoot, along) / max(dot(along, along), 1e-37), 0.0, 1.0);
    let miss = length(toFoot - along * share);
    if (miss < leastMiss) {
      leastMiss = miss;
      chord = Chord(i, 1.0 - share);
    }
  }
  return chord;
}

fn setEdge(i: u32) {
  let start = ringPoints[i].position;
  let normal = rightOf(directionOf(ringPoints[ringNext[i]].position - start, vec2f(1.0, 0.0)));
  ringEdges[i] = vec3f(normal, dot(normal, start));
}
