// What comes after an impact of rotating bodies that a surface does not have: they pass a seam of it. From there on,
// the gap between them is looked at step by step, until they are apart or the gap falls
// (src/parts/surface/followed-touch.ts draws it).
//
//     BEGINS  -----------------------------> ON, or BEHIND a surface with one side
//     ON      --- apart -------------------> NOT: the search for impacts goes on
//             --- the gap falls -----------> FALLS
//     BEHIND  --- apart -------------------> NOT
//     FALLS   --- its time is known -------> FALLEN: they meet there

const PASSING_NOT: u32 = 0u;
const PASSING_BEGINS: u32 = 1u;
const PASSING_ON: u32 = 2u;
const PASSING_BEHIND: u32 = 3u;
// The gap has fallen between two times, and the interval is halved.
const PASSING_FALLS: u32 = 4u;
const PASSING_FALLEN: u32 = 5u;

// Radians, and shares of the other body's size, that bodies move per step.
const PASSING_TURN: f32 = 0.015625;
const PASSING_WAY: f32 = 0.25;
// A gap that falls by this share of the other body's size closes.
const PASSING_FALL: f32 = 1e-5;
// Rounding of a gap, in ULPS of the pair's unit.
const PASSING_ULPS: f32 = 16.0;
// Looks at bodies at most: two that turn by 32 radians each take half of these. And the share of an interval to which
// the time of a fall is known.
const PASSING_MOST_LOOKS: u32 = 8192u;
const PASSING_TIME: f32 = 6e-8;

const NO_GAP: u32 = 0xffffffffu;

struct Passing {
  state: u32,
  // Along what the gap is: a face, 0 for the normal of the contact, NO_GAP.
  along: u32,
  greatest: f32,
  // The last time at which the gap had not fallen, and the first at which it had.
  before: f32,
  after: f32,
}

// The gap between two bodies at a time.
struct PassedGap {
  isApart: bool,
  along: u32,
  height: f32,
  isBehind: bool,
}

fn beginPassing(time: f32) -> Passing {
  return startPassing(time, true);
}

// `passes`: whether the bodies pass each other at that time.
fn startPassing(time: f32, passes: bool) -> Passing {
  return Passing(select(PASSING_NOT, PASSING_BEGINS, passes), NO_GAP, 0.0, time, time);
}

// Whether bodies pass, and have not fallen.
fn isOn(state: u32) -> bool {
  return state == PASSING_ON || state == PASSING_BEHIND;
}

// Takes the gap at a time. Returns the time of the next. `fall`: by how much a gap falls that closes. `interval`:
// between two steps.
fn passOn(passing: ptr<function, Passing>, gap: PassedGap, fall: f32, time: f32, interval: f32) -> f32 {
  var now = *passing;
  let isSame = !gap.isApart && gap.along == now.along;
  let isFallen = isSame && gap.height < now.greatest - fall && now.state != PASSING_BEHIND;
  if (now.state == PASSING_FALLS || isFallen) {
    now.state = PASSING_FALLS;
    now.before = select(time, now.before, isFallen);
    now.after = select(now.after, time, isFallen);
    let middle = 0.5 * (now.before + now.after);
    let isBetween = middle > now.before && middle < now.after && now.after - now.before > PASSING_TIME * interval;
    now.state = select(PASSING_FALLEN, PASSING_FALLS, isBetween);
    *passing = now;
    return select(now.after, middle, isBetween);
  }
  if (gap.isApart && now.state != PASSING_BEGINS) {
    (*passing).state = PASSING_NOT;
    return time;
  }
  if (now.state == PASSING_BEGINS) {
    now.state = select(PASSING_ON, PASSING_BEHIND, gap.isBehind);
  }
  now.greatest = select(gap.height, max(now.greatest, gap.height), isSame);
  now.along = select(gap.along, NO_GAP, gap.isApart);
  now.before = time;
  *passing = now;
  return time + interval;
}
