// When two turning bodies meet: conservative advancement, Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
// Systems" (1996), section 2.3: as long as the bodies can't have come closer than they are apart, time may go on.
//
// Departures: how long that is follows from supports along the separating normal and from a bound of what turning adds
// to them, not from the bodies' radii alone; and the normal may turn with either body, or as it turned on the last
// step. So steps near the impact are those of Newton's method, and its square is left of the gap.
//
// Steps: the distance at this time, from the last simplex; stop where it is none to rounding and the bodies close in;
// the longest step that is safe along its normal. Bodies that touch and part or slide along each other are looked at
// again after times that double, until they are apart or have come deeper than touching. So bodies that hardly turn are
// told to pass as those are that don't turn at all.

import package::shared::constants::{
  ADVANCE_LEAST_CROSSING, ADVANCE_LEAVE_MOTION, ADVANCE_LEAVE_SHARE, ADVANCE_MAX_HALVINGS, ADVANCE_MAX_ITERATIONS,
  ADVANCE_MOST_TURN, ADVANCE_RETREAT_ULPS, ADVANCE_ROOM, ADVANCE_SKIP, ADVANCE_STEEP, ADVANCE_TANGENTS,
  MOTION_OPPOSITE
};
import package::shared::math::{EPSILON, cosineAndSine, quaternionProduct};
import package::shared::pair::{Pair, makePair};
import package::shared::shapes::{Shape, Pose, Core, CORE_SEGMENT, CORE_HALFSPACE, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID};
import package::shared::support::{differenceSupport, support, vertex, vertexA, vertexB};
import package::queries::pair-unit::{acceptedGap};
import package::queries::witness::{Surface, simplexWitness};
import package::queries::impacts::motion::{Motion, slackOf};
import package::cast::{CastResult};
import package::closed-form::{closedForm};
import package::facing::{Facing, facing};
import package::gjk::{Guess, GjkResult, gjk, NO_GUESS, NO_ID, GJK_CONVERGED, GJK_STALLED};
import package::impact::{touchPoint, IMPACT_MET, IMPACT_NONE, IMPACT_OPEN};
import package::simplex::{Simplex};

struct Advance {
  // One of the IMPACT_ states.
  state: u32,
  iterations: u32,
  // Of impact, or a bound.
  time: f32,
  // The bodies as they are then.
  pair: Pair,
  // Whether there are a normal and a point, in A's frame; where the bodies touched to begin with there may be none.
  isSeen: bool,
  normal: vec3f,
  point: vec3f,
}

// From `begin` on, seconds after the motion began. `isTouching`: the bodies touch there and part or slide along each
// other, or seem to. `isLeaving`: they overlap there and part; an impact is looked for from when they are apart.
// `margin` as in `Motion`, in units of the world; `normal` is that of bodies that touch, in world axes.
fn advance(
  shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion, margin: f32, begin: f32, isTouching: bool,
  isLeaving: bool, normal: vec3f
) -> Advance {
  var leaves = isLeaving;
  let isPlane = max(shapeA.kind, shapeB.kind) == CORE_HALFSPACE;
  let reachA = shapeA.boundingRadius * poseA.scale;
  let reachB = shapeB.boundingRadius * poseB.scale;
  var guess = NO_GUESS;
  // Of bodies that touch.
  var known = normal;
  // When they came to touch, and where; before they have, less than any time.
  var touchTime = -1.0;
  var touch = vec3f(0.0);
  // After they touch here they overlap.
  var isMeeting = false;
  var lastNormal = vec3f(0.0);
  var result: Advance;
  result.state = IMPACT_OPEN;
  result.time = begin;
  var last = begin;
  // While they touch: how long until they are looked at again.
  var skip = 0.0;
  if (isLeaving) {
    let motionSkip = ADVANCE_LEAVE_MOTION * (reachA + reachB) / max(fastest(motion, reachA, reachB), 1e-30);
    skip = max(motionSkip, ADVANCE_LEAVE_SHARE * motion.duration);
  }
  let mostSkip = ADVANCE_MOST_TURN / max(length(motion.spinA) + length(motion.spinB), 1e-30);
  var isLast = false;
  var lastTime = begin;
  var lastStep = 0.0;
  var lastRoom = 1.0;
  var retreat = 0.0;
  // Where that was too far: the latest time at which they were apart, the earliest at which rounding had them overlap,
  // and how often what is between was halved.
  var apartTime = 0.0;
  var overlapTime = 0.0;
  var halvings = 0u;
  var isAway = false;
  for (var i = 0u; i < ADVANCE_MAX_ITERATIONS; i++) {
    last = select(result.time, last, isLast);
    result.time = min(result.time + skip, motion.duration);
    let offset = motion.offset + motion.velocity * result.time;
    let pair = makePair(shapeA, turned(poseA, motion.spinA, result.time), shapeB, turned(poseB, motion.spinB, result.time), offset);
    result.pair = pair;
    if (isMeeting && touchTime >= 0.0) {
      result.state = IMPACT_MET;
      result.normal = known * pair.rotationA;
      result.point = touch;
      result.isSeen = true;
      break;
    }
    let reach = pair.radiusA + pair.radiusB + margin / pair.unit;
    let accepted = 0.5 * acceptedGap(pair);
    let slack = slackOf(pair);
    var search: GjkResult;
    var room = 0.0;
    // They overlap, to rounding, and do no more than touch along the normal that they had.
    var isTouch = false;
    if (isPlane) {
      let found = closedForm(pair);
      room = found.lower - reach;
      result.normal = found.normal;
      result.point = touchPoint(pair, Surface(found.onA, found.onB), found.normal, reach);
      result.isSeen = true;
      result.iterations += 1u;
    } else {
      // Bodies that touch, whose normal is known, are seen from farther off along it.
      var seen = pair;
      let away = (known * pair.rotationA) * select(0.0, ADVANCE_ROOM, isAway);
      seen.translation += away;
      search = gjk(seen, 1e30, -1.0, guess);
      guess = guessOf(search.simplex);
      result.iterations += search.iterations;
      if (isAway) {
        result.state = IMPACT_MET;
        result.normal = known * pair.rotationA;
        var cores = simplexWitness(seen, search.simplex);
        cores.onB -= away;
        result.point = touchPoint(pair, cores, result.normal, reach);
        result.isSeen = true;
        break;
      }
      // Of an overlap the search has no depth, and of cores that touch to rounding no normal.
      result.isSeen = search.state == GJK_CONVERGED || search.state == GJK_STALLED;
      room = select(-reach, search.lower - reach, result.isSeen);
      if (result.isSeen) {
        result.normal = search.normal;
      } else if (skip > 0.0 && any(known != vec3f(0.0))) {
        let towards = known * pair.rotationA;
        room = min(dot(towards, differenceSupport(pair, -towards).position) - reach, 0.0);
        isTouch = room >= -slack;
      } else if (lastStep > 0.0 && result.time > lastTime) {
        // The last step was as long as rounding allows, or longer: a little back.
        overlapTime = result.time;
        isLast = true;
        let halfTime = 0.5 * (apartTime + overlapTime);
        if (halvings > 0u && halvings < ADVANCE_MAX_HALVINGS && halfTime > apartTime && halfTime < overlapTime) {
          halvings += 1u;
          result.time = halfTime;
        } else {
          retreat = max(2.0 * retreat, ADVANCE_RETREAT_ULPS * EPSILON * lastStep / lastRoom);
          result.time = max(result.time - retreat, lastTime);
        }
        continue;
      }
    }
    if (i == 0u && isTouching) {
      skip = firstSkip(motion, slack, reachA, reachB);
      continue;
    }
    if (leaves) {
      if (result.isSeen && room > max(accepted, slack)) {
        leaves = false;
        skip = 0.0;
      } else {
        if (result.time >= motion.duration) {
          result.state = IMPACT_NONE;
          break;
        }
        continue;
      }
    }
    if (skip > 0.0) {
      // Of cores without an inside that come through each other the normal changes sides.
      let isThrough = !isPlane && result.isSeen && room <= 3.0 * slack && dot(pair.rotationA * result.normal, known) < MOTION_OPPOSITE;
      let isApart = room > max(accepted, slack) && !isThrough;
      if (isTouch || (!isApart && room >= -slack && result.isSeen && !isThrough)) {
        // They touch still.
        if (result.time >= motion.duration) {
          result.state = IMPACT_NONE;
          break;
        }
        skip = min(2.0 * skip, mostSkip);
        continue;
      }
      skip = 0.0;
      if (!isApart) {
        // They overlap after they came to touch, or, if they do from the beginning, after the last time at which they
        // did no more than that.
        result.time = select(last, touchTime, touchTime >= 0.0);
        isLast = true;
        isMeeting = true;
        continue;
      }
    }
    let halfTime = 0.5 * (result.time + overlapTime);
    if (isLast && room > accepted && halfTime > result.time && halfTime < overlapTime && halvings < ADVANCE_MAX_HALVINGS) {
      halvings += 1u;
      apartTime = result.time;
      result.time = halfTime;
      continue;
    }
    if (room <= accepted || isLast) {
      if (!result.isSeen && any(known != vec3f(0.0))) {
        isAway = true;
        continue;
      }
      var closing = 0.0;
      if (!isPlane && result.isSeen) {
        let cores = simplexWitness(pair, search.simplex);
        result.point = touchPoint(pair, cores, search.normal, reach);
        let face = turnedFacing(pair, shapeA, shapeB, velocityAt(pair, motion, offset, result.point), reach, slack, search, cores);
        result.normal = face.normal;
        closing = face.closing;
      } else if (isPlane) {
        closing = -dot(result.normal, velocityAt(pair, motion, offset, result.point));
      }
      if (isMeeting || closing > ADVANCE_STEEP * fastest(motion, reachA, reachB)) {
        result.state = IMPACT_MET;
        break;
      }
      // They may part, or slide along each other.
      if (result.isSeen) {
        known = pair.rotationA * result.normal;
        touchTime = result.time;
        touch = result.point;
      }
      skip = min(firstSkip(motion, slack, reachA, reachB), mostSkip);
      isLast = false;
      lastStep = 0.0;
      retreat = 0.0;
      overlapTime = 0.0;
      halvings = 0u;
      continue;
    }
    let most = motion.duration - result.time;
    let direction = pair.rotationA * result.normal;
    var turn = edgeSpin(pair, motion, search.simplex, direction);
    if (all(turn == vec3f(0.0)) && lastStep > 0.0) {
      turn = cross(lastNormal, direction) / (result.time - lastTime);
    }
    lastNormal = direction;
    let step = longestStep(pair, motion, offset, result.normal, turn, reachA, reachB, reach, most);
    if (step >= most) {
      result.state = IMPACT_NONE;
      break;
    }
    if (!(step > 0.0)) {
      // Numbers too large for a bound.
      break;
    }
    lastStep = step;
    lastRoom = room;
    lastTime = result.time;
    let later = result.time + step;
    isLast = later == result.time;
    result.time = later;
  }
  return result;
}

// Seconds after which bodies that touch are looked at again, in which they can't have come much deeper.
fn firstSkip(motion: Motion, slack: f32, reachA: f32, reachB: f32) -> f32 {
  return ADVANCE_SKIP * slack * (reachA + reachB) / max(fastest(motion, reachA, reachB), 1e-30);
}

// What no points of the bodies move faster by against each other.
fn fastest(motion: Motion, reachA: f32, reachB: f32) -> f32 {
  return length(motion.velocity) + length(motion.spinA) * reachA + length(motion.spinB) * reachB;
}

fn guessOf(s: Simplex) -> Guess {
  let isThere = vec4u(0u, 1u, 2u, 3u) < vec4u(s.count);
  return Guess(
    select(vec4u(NO_ID), vec4u(s.a.id.x, s.b.id.x, s.c.id.x, s.d.id.x), isThere),
    select(vec4u(NO_ID), vec4u(s.a.id.y, s.b.id.y, s.c.id.y, s.d.id.y), isThere),
  );
}

// The longest of the steps that are safe along a normal that stands, that turns with A, that turns with B or that turns
// by `turn`, if that is not zero: any turn gives a safe step; the nearer it is to the true one, the longer. A plane's
// normal turns with it.
fn longestStep(
  pair: Pair, motion: Motion, offset: vec3f, normal: vec3f, turn: vec3f, reachA: f32, reachB: f32, reach: f32,
  most: f32
) -> f32 {
  let isPlaneA = pair.coreA.kind == CORE_HALFSPACE;
  let isPlaneB = pair.coreB.kind == CORE_HALFSPACE;
  var longest = 0.0;
  for (var i = 0u; i < 4u; i++) {
    let spin = select(select(select(turn, motion.spinB, i == 2u), motion.spinA, i == 1u), vec3f(0.0), i == 0u);
    let isPlanes = (isPlaneA && i == 1u) || (isPlaneB && i == 2u);
    if (longest < most && select(i == 0u || any(spin != vec3f(0.0)), isPlanes, isPlaneA || isPlaneB)) {
      longest = max(longest, safeStep(pair, motion, offset, normal, spin, reachA, reachB, reach, most));
    }
  }
  return longest;
}

// How the normal of two edges that touch turns, from the simplex that holds their nearest points; zero where these are
// not on an edge each.
//
// Its change n' is perpendicular to n, and keeps it perpendicular to either edge e, which its body's spin w turns: n' .
// e = -n . (w x e).
fn edgeSpin(pair: Pair, motion: Motion, s: Simplex, n: vec3f) -> vec3f {
  if (s.count != 3u) {
    return vec3f(0.0);
  }
  let edgeA = pair.rotationA * edgeOf(vertexA(pair, s.a.id), vertexA(pair, s.b.id), vertexA(pair, s.c.id));
  let edgeB = pair.rotationA * edgeOf(vertexB(pair, s.a.id), vertexB(pair, s.b.id), vertexB(pair, s.c.id));
  let across = dot(n, cross(edgeA, edgeB));
  if (abs(across) <= ADVANCE_LEAST_CROSSING * length(edgeA) * length(edgeB)) {
    return vec3f(0.0);
  }
  let change = (cross(n, edgeB) * dot(n, cross(motion.spinA, edgeA)) + cross(edgeA, n) * dot(n, cross(motion.spinB, edgeB))) / across;
  return cross(n, change);
}

// The vector between three points two of which are in one place; zero where all are, or none.
fn edgeOf(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
  if (all(a == b) || all(b == c)) {
    return c - a;
  }
  return select(vec3f(0.0), b - a, all(a == c));
}

// Seconds, up to `most`, in which the bodies can't come within `reach` of each other along the normal, which is in A's
// frame, separates them now and turns by `spin`. `offset` is B's position minus A's by now.
//
// Seen from A's origin in a frame that turns with the normal n, a point r of a body moves along n by r . (n x own),
// where own is how the body turns there, and faster by at most |r| times the `bend` of its turn each second; B's origin
// d away and moving by v moves by n . (v - spin x d), and faster by at most |n x spin| (2 |v| + |spin| |d|). So the
// least of all heights some time later is no less than that of a support, along a direction that leans with the time,
// less half of these times the time squared: concave in time. Its tangents come to its root from beyond; the chord to
// where the last of them ends stays before it.
fn safeStep(pair: Pair, motion: Motion, offset: vec3f, normal: vec3f, spin: vec3f, reachA: f32, reachB: f32, reach: f32, most: f32) -> f32 {
  let direction = pair.rotationA * normal;
  let turnA = turnOf(pair.coreA, pair.rotationA, motion.spinA, direction, spin);
  let turnB = turnOf(pair.coreB, pair.rotationA * pair.rotation, motion.spinB, direction, spin);
  let swingA = cross(direction, turnA.own) * pair.rotationA;
  let swingB = cross(direction, turnB.own) * pair.rotationA;
  let far = max(length(offset), length(offset + motion.velocity * most));
  let bend = 0.5 / pair.unit * (
    turnA.bend * reachA + turnB.bend * reachB +
    length(cross(direction, spin)) * (2.0 * length(motion.velocity) + length(spin) * far)
  );
  let drift = dot(direction, motion.velocity - cross(spin, offset)) / pair.unit;
  let middle = dot(normal, pair.translation) - reach;
  var step = 0.0;
  var room = 0.0;
  for (var i = 0u; i <= ADVANCE_TANGENTS; i++) {
    let directionA = normal + swingA * step;
    let directionB = normal + swingB * step;
    let onA = farthestPoint(pair.coreA, directionA);
    let onB = pair.rotation * farthestPoint(pair.coreB, -(directionB * pair.rotation));
    let height = middle + dot(directionB, onB) - dot(directionA, onA) + (drift - bend * step) * step;
    if (i == 0u) {
      room = height;
      step = most;
      continue;
    }
    if (height >= 0.0) {
      return step;
    }
    if (i == ADVANCE_TANGENTS) {
      return step * room / (room - height);
    }
    // The tangent's own root, with the same bend.
    let tangent = middle + dot(normal, onB) - dot(normal, onA);
    step = positiveRoot(tangent, drift + dot(swingB, onB) - dot(swingA, onA), bend);
  }
  return 0.0;
}

// How a body turns beside a normal, and how fast that changes what its points do along it, times their length.
struct Turn {
  own: vec3f,
  bend: f32,
}

// With w = `spin`, s = `normalSpin` and own = w - s, what a point r does along the normal n changes by (s x n) . (own x
// r) + (n x own) . (w x r). Where n stands n x own does, too. A solid of revolution looks the same if it turns by what
// is left of w across its axis, p, alone; that turns itself, with the axis, by as much as there is of w along this, q:
// so points of the solid get faster by at most p (p + q). The lesser bound will do.
fn turnOf(core: Core, rotation: mat3x3f, spin: vec3f, normal: vec3f, normalSpin: vec3f) -> Turn {
  let own = spin - normalSpin;
  if (any(normalSpin != vec3f(0.0))) {
    return Turn(own, length(own) * (length(spin) + length(cross(normalSpin, normal))));
  }
  let turn = Turn(own, length(cross(normal, own)) * length(own));
  let axis = rotation * axisOfRevolution(core);
  let p = length(cross(own, axis));
  let bend = p * (p + abs(dot(own, axis)));
  if (any(axis != vec3f(0.0)) && bend < turn.bend) {
    return Turn(own - axis * dot(own, axis), bend);
  }
  return turn;
}

// The axis that a core looks the same around however it turns, a unit vector in its body's frame; zero where there is
// none.
fn axisOfRevolution(core: Core) -> vec3f {
  let half = core.halfExtents;
  if (core.kind == CORE_SEGMENT || core.kind == CORE_CYLINDER || core.kind == CORE_CONE ||
      (core.kind == CORE_ELLIPSOID && half.x == half.z)) {
    return vec3f(0.0, 1.0, 0.0);
  }
  if (core.kind == CORE_ELLIPSOID && half.y == half.z) {
    return vec3f(1.0, 0.0, 0.0);
  }
  return select(vec3f(0.0), vec3f(0.0, 0.0, 1.0), core.kind == CORE_ELLIPSOID && half.x == half.y);
}

// The point of a core that is farthest along a direction in its body's frame; of a half-space, whose plane the pair's
// radius has, the origin.
fn farthestPoint(core: Core, direction: vec3f) -> vec3f {
  if (core.kind == CORE_HALFSPACE) {
    return vec3f(0.0);
  }
  return vertex(core, support(core, direction));
}

// The root of height + slope x - bend x^2, height and bend at least 0.
fn positiveRoot(height: f32, slope: f32, bend: f32) -> f32 {
  let root = sqrt(slope * slope + 4.0 * bend * max(height, 0.0));
  if (slope >= 0.0) {
    return (slope + root) / max(2.0 * bend, 1e-30);
  }
  return 2.0 * max(height, 0.0) / (root - slope);
}

// The normal along which turning bodies meet whose points have this velocity against each other, in A's frame, and how
// fast they close in along it.
fn turnedFacing(
  pair: Pair, shapeA: Shape, shapeB: Shape, velocity: vec3f, reach: f32, slack: f32, search: GjkResult,
  cores: Surface
) -> Facing {
  let speed = length(velocity);
  if (speed == 0.0) {
    return Facing(search.normal, 0.0, 0.0);
  }
  var found: CastResult;
  found.normal = search.normal;
  found.nearest = search.normal * search.upper;
  found.distance = search.upper;
  found.simplex = search.simplex;
  var face = facing(pair, shapeA, shapeB, velocity / speed, reach, slack, found, cores);
  face.closing *= speed;
  return face;
}

// B's velocity at a point, seen from A, both in A's frame. `offset` is B's position minus A's.
fn velocityAt(pair: Pair, motion: Motion, offset: vec3f, point: vec3f) -> vec3f {
  let contact = pair.rotationA * point * pair.unit;
  return (motion.velocity - cross(motion.spinA, contact) + cross(motion.spinB, contact - offset)) * pair.rotationA;
}

// A pose some seconds later.
fn turned(pose: Pose, spin: vec3f, time: f32) -> Pose {
  let speed = length(spin);
  if (speed == 0.0) {
    return pose;
  }
  let half = cosineAndSine(0.5 * speed * time);
  return Pose(pose.position, pose.scale, quaternionProduct(vec4f(spin * (half.y / speed), half.x), pose.quaternion));
}
