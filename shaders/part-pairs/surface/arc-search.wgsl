// The normal of an arc along which a body has to move least to clear an edge, or a corner with the arc at the rim of
// its cone. src/parts/surface/arc-search.ts says how, and does the same in double precision.

import package::part-pairs::surface::angle::{angleOf};
import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::rows::{EdgePiece};
import package::shared::math::{EPSILON, cosineAndSine};
import package::shared::pair::{Pair};

const ARC_MAX_SUPPORTS: u32 = 24u;
// Ranges that wait, at most. Those beyond are left out.
const ARC_MAX_RANGES: u32 = 12u;
// The search ends where no angle is better by this.
const ARC_EXIT_ULPS: f32 = 8.0;
const HALF_TURN: f32 = 3.14159265;

// The normals across * cos(a) + normal * sin(a) of a piece, for angles a from `least` to `greatest`.
struct Arc {
  piece: EdgePiece,
  least: f32,
  greatest: f32,
}

struct ArcNormal {
  normal: vec3f,
  clearance: f32,
}

// The best normal of an arc.
fn leastOnArc(pair: Pair, arc: Arc) -> ArcNormal {
  let edge = arc.piece;
  let least = arc.least;
  let greatest = arc.greatest;
  let normal = edge.normal;
  // Of each range: the angles of both ends, and the sinusoids that are greatest there.
  var angles: array<vec2f, ARC_MAX_RANGES>;
  var sinusoids: array<vec4f, ARC_MAX_RANGES>;
  var waits = 0u;
  // Cosine and sine of the best angle.
  var best = vec2f(1.0, 0.0);
  var bestHeight = 1e30;
  var low = vec2f(0.0);
  var lowAngle = least;
  var high = vec2f(0.0);
  var highAngle = greatest;
  let accept = ARC_EXIT_ULPS * EPSILON;
  for (var supports = 0u; supports < ARC_MAX_SUPPORTS; supports++) {
    // The ends of the whole range, then the angle where the sinusoids at the ends of a range cross.
    var angle = select(least, greatest, supports == 1u);
    var bound = -1e30;
    if (supports > 1u) {
      if (waits == 0u) {
        break;
      }
      waits--;
      lowAngle = angles[waits].x;
      highAngle = angles[waits].y;
      low = sinusoids[waits].xy;
      high = sinusoids[waits].zw;
      let change = high - low;
      if (dot(change, change) <= accept * accept) {
        continue;
      }
      angle = angleOf(vec2f(change.y, -change.x));
      angle += select(0.0, HALF_TURN, angle < lowAngle);
      angle -= select(0.0, HALF_TURN, angle > highAngle);
      bound = dot(cosineAndSine(angle), low);
      if (angle <= lowAngle + EPSILON || angle >= highAngle - EPSILON || bound >= bestHeight - accept) {
        continue;
      }
    }
    let turn = cosineAndSine(angle);
    let direction = edge.across * turn.x + normal * turn.y;
    let between = edge.corner - lowestOfB(pair, direction);
    let sinusoid = vec2f(dot(between, edge.across), dot(between, normal));
    let height = dot(between, direction);
    if (height < bestHeight) {
      best = turn;
      bestHeight = height;
    }
    if (supports == 0u) {
      low = sinusoid;
    } else if (supports == 1u) {
      angles[0] = vec2f(least, greatest);
      sinusoids[0] = vec4f(low, sinusoid);
      waits = 1u;
    } else if (height - bound > accept && waits + 2u <= ARC_MAX_RANGES) {
      angles[waits] = vec2f(lowAngle, angle);
      sinusoids[waits] = vec4f(low, sinusoid);
      angles[waits + 1u] = vec2f(angle, highAngle);
      sinusoids[waits + 1u] = vec4f(sinusoid, high);
      waits += 2u;
    }
  }
  return ArcNormal(edge.across * best.x + normal * best.y, bestHeight);
}
