// The demo's own part of a step. Before this text stand the records of narrowphase/wgsl and the constants of rules.ts.
//
//   begin    leaves of doors get a displacement, people none
//   (impacts) advance      each leaf moves until it would touch somebody
//   (contacts) near        signed distances become accelerations and pushes
//   steer    people get a displacement: the flow field, the accelerations, the pushes
//   (impacts) advance, twice  each person moves until the first wall, then slides along it
//   settle   velocities, arrivals, places of entry that are taken
//   enter    who waits outside enters where there is room
//   (intersects) tally     nobody may overlap a wall

struct Params {
  gridOrigin: vec2f,
  cell: f32,
  gridWidth: u32,
  gridHeight: u32,
  people: u32,
  leaves: u32,
  bodies: u32,
  entries: u32,
  zones: u32,
  step: u32,
  // Width of the plan and height: people outside wait beyond.
  outsideX: f32,
  outsideY: f32,
}

struct Person {
  velocity: vec2f,
  // Position as the step began.
  origin: vec2f,
  // Metres per second at ease.
  speed: f32,
  // Zone, or NOWHERE for who is not in the plan.
  destination: u32,
  isCapsule: u32,
  pad: u32,
}

// Sums of many pairs in any order must give the same bits: fixed point.
struct Force {
  x: atomic<i32>,
  y: atomic<i32>,
  pushX: atomic<i32>,
  pushY: atomic<i32>,
}

struct Entry {
  position: vec2f,
  angle: f32,
  zone: u32,
  // Who enters here: first, first + stride, … below end. The next to be tried is `cursor`.
  first: u32,
  end: u32,
  stride: u32,
  cursor: u32,
  // 0: closed; 1: open; 2: open in this step.
  mode: u32,
  isTaken: atomic<u32>,
  pad: vec2u,
}

struct Totals {
  steps: u32,
  // Persons checked against walls so far, and overlaps found.
  checks: u32,
  inWalls: u32,
  arrived: atomic<u32>,
  // Of the latest step.
  present: atomic<u32>,
  touching: atomic<u32>,
  moving: atomic<u32>,
  wallPairs: u32,
  nearPairs: u32,
  // Pairs for which there was no room: without sight, and without permission to move.
  nearOverflow: u32,
  wallOverflow: u32,
  invalid: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> poses: array<PlanarPose>;
@group(0) @binding(2) var<storage, read_write> velocities: array<PlanarVelocity>;
@group(0) @binding(3) var<storage, read_write> persons: array<Person>;
@group(0) @binding(4) var<storage, read_write> forces: array<Force>;
@group(0) @binding(5) var<storage, read> field: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> groupsNear: array<u32>;
@group(0) @binding(7) var<storage, read_write> groupsWalls: array<u32>;
@group(0) @binding(8) var<storage, read_write> entries: array<Entry>;
@group(0) @binding(9) var<storage, read_write> totals: Totals;
// Where each leaf should be.
@group(0) @binding(10) var<storage, read> leafTargets: array<vec2f>;
// A batch's output.
@group(0) @binding(11) var<storage, read> contacts: array<PlanarContact>;
@group(0) @binding(12) var<storage, read> counts: Counts;
@group(0) @binding(13) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(14) var<storage, read> impacts: array<PlanarImpact>;
@group(0) @binding(15) var<storage, read> hits: array<u32>;
@group(0) @binding(16) var<storage, read> first: array<u32>;

const FIXED_POINT: f32 = 65536.0;
const NO_PAIR: u32 = 0xffffffffu;

@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i == 0u) {
    atomicStore(&totals.present, 0u);
    atomicStore(&totals.touching, 0u);
    atomicStore(&totals.moving, 0u);
  }
  if (i >= params.bodies) {
    return;
  }
  velocities[i] = PlanarVelocity(vec2f(), 0.0, 0.0);
  if (i < params.people) {
    persons[i].origin = poses[i].position;
    atomicStore(&forces[i].x, 0);
    atomicStore(&forces[i].y, 0);
    atomicStore(&forces[i].pushX, 0);
    atomicStore(&forces[i].pushY, 0);
  } else if (i < params.people + params.leaves) {
    let way = leafTargets[i - params.people] - poses[i].position;
    velocities[i].linear = shortened(way, DOOR_SPEED * STEP);
  }
}

fn shortened(v: vec2f, greatest: f32) -> vec2f {
  let size = length(v);
  return select(v, v * (greatest / size), size > greatest);
}

// Moves each body by its displacement up to its first impact. What is left of the displacement, along the obstacle and
// a little away from it, is the displacement of the next round.
@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= params.people + params.leaves) {
    return;
  }
  let velocity = velocities[i];
  // A pair that was left out could be a wall: nobody moves.
  if (i == 0u) {
    totals.wallOverflow += counts.pairOverflow + counts.hitOverflow;
  }
  if (counts.pairOverflow > 0u || counts.hitOverflow > 0u) {
    velocities[i] = PlanarVelocity(vec2f(), 0.0, 0.0);
    return;
  }
  var share = 1.0;
  var rest = vec2f();
  let pair = first[i];
  if (pair != NO_PAIR) {
    let impact = impacts[slotOf(pair)];
    share = min(planarImpactTime(impact), 1.0);
    if (i < params.people) {
      let towards = select(-impact.normal, impact.normal, pairs[pair].x == i);
      rest = (1.0 - share) * velocity.linear;
      rest -= max(dot(rest, towards), 0.0) * towards;
      rest -= LIFT * length(rest) * towards;
    }
  }
  poses[i].position += share * velocity.linear;
  poses[i].angle = wrapped(poses[i].angle + share * velocity.angular);
  velocities[i] = PlanarVelocity(rest, 0.0, 0.0);
}

// The list of hits is in ascending order of pairs.
fn slotOf(pair: u32) -> u32 {
  var low = 0u;
  var high = countsHitRecords(counts);
  while (low < high) {
    let middle = (low + high) / 2u;
    if (hits[LIST_HEADER + middle] < pair) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

fn wrapped(angle: f32) -> f32 {
  return angle - 6.2831855 * round(angle / 6.2831855);
}

@compute @workgroup_size(64)
fn near(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let k = dispatchedRecord(workgroup, grid.x, 64u, local);
  if (k >= counts.pairs) {
    return;
  }
  let contact = contacts[k];
  if (!planarContactIsHit(contact)) {
    return;
  }
  // People come first, so A is a person.
  let a = pairs[k].x;
  let b = pairs[k].y;
  let gap = contact.distance;
  let normal = contact.normal;
  if (b >= params.people) {
    add(a, -WALL_REPULSION * exp(-gap / WALL_RANGE) * normal);
    return;
  }
  if (gap < 0.0) {
    atomicAdd(&totals.touching, 1u);
  }
  let push = min(PUSH * max(GAP - gap, 0.0), MAX_PUSH);
  addPush(a, -push * normal);
  addPush(b, push * normal);
  let away = REPULSION * exp(-max(gap, 0.0) / REPULSION_RANGE) * normal;
  let relative = persons[a].velocity - persons[b].velocity;
  add(a, -away + avoidance(persons[a].velocity, relative, normal, gap));
  add(b, away + avoidance(persons[b].velocity, -relative, -normal, gap));
}

// Past somebody in the way, on the side on which one passes anyhow, and on the right if that is open.
fn avoidance(velocity: vec2f, relative: vec2f, towards: vec2f, gap: f32) -> vec2f {
  let closing = dot(relative, towards);
  if (closing < 0.1 || dot(velocity, towards) <= 0.0) {
    return vec2f();
  }
  let urgency = 1.0 - max(gap, 0.0) / (closing * HORIZON);
  if (urgency <= 0.0) {
    return vec2f();
  }
  let right = vec2f(towards.y, -towards.x);
  let side = select(1.0, -1.0, dot(relative, right) < -0.1 * closing);
  return AVOIDANCE * urgency * (side * right - 0.4 * towards);
}

fn add(person: u32, acceleration: vec2f) {
  let value = vec2i(round(clamp(acceleration, vec2f(-50.0), vec2f(50.0)) * FIXED_POINT));
  atomicAdd(&forces[person].x, value.x);
  atomicAdd(&forces[person].y, value.y);
}

fn addPush(person: u32, push: vec2f) {
  let value = vec2i(round(push * FIXED_POINT));
  atomicAdd(&forces[person].pushX, value.x);
  atomicAdd(&forces[person].pushY, value.y);
}

@compute @workgroup_size(64)
fn steer(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= params.people + params.leaves) {
    return;
  }
  velocities[i] = PlanarVelocity(vec2f(), 0.0, 0.0);
  if (i >= params.people) {
    return;
  }
  let person = persons[i];
  if (person.destination == NOWHERE) {
    return;
  }
  let pose = poses[i];
  let force = vec2f(vec2i(atomicLoad(&forces[i].x), atomicLoad(&forces[i].y))) / FIXED_POINT;
  let push = vec2f(vec2i(atomicLoad(&forces[i].pushX), atomicLoad(&forces[i].pushY))) / FIXED_POINT;
  let wanted = person.speed * wayTo(person.destination, pose.position).xy;
  let acceleration = (wanted - person.velocity) / REACTION + shortened(force, MAX_ACCELERATION);
  let velocity = shortened(person.velocity + STEP * acceleration, 1.4 * person.speed);
  persons[i].velocity = velocity;
  velocities[i].linear = STEP * velocity + shortened(push, MAX_PUSH);
  if (person.isCapsule != 0u && length(velocity) > 0.15) {
    // A capsule is the same after half a turn.
    let turn = atan2(velocity.y, velocity.x) - 1.5707964 - pose.angle;
    let least = turn - 3.1415927 * round(turn / 3.1415927);
    velocities[i].angular = clamp(least, -TURN_RATE * STEP, TURN_RATE * STEP);
  }
}

// Direction and metres to go, from the middles of the four cells around a point: from free ones if there are any.
fn wayTo(zone: u32, position: vec2f) -> vec4f {
  let place = (position - params.gridOrigin) / params.cell - 0.5;
  let corner = floor(place);
  let part = place - corner;
  var free = vec4f();
  var blocked = vec4f();
  for (var k = 0u; k < 4u; k++) {
    let offset = vec2f(f32(k & 1u), f32(k >> 1u));
    let cell = vec2u(clamp(corner + offset, vec2f(), vec2f(f32(params.gridWidth - 1u), f32(params.gridHeight - 1u))));
    let weights = select(1.0 - part, part, offset > vec2f(0.5));
    let weight = weights.x * weights.y;
    let value = field[(zone * params.gridHeight + cell.y) * params.gridWidth + cell.x];
    if (value.w > 0.0) {
      free += vec4f(weight * value.xyz, weight);
    } else {
      blocked += vec4f(weight * value.xyz, weight);
    }
  }
  let sum = select(blocked, free, free.w > 0.0);
  let size = length(sum.xy);
  return vec4f(select(vec2f(), sum.xy / size, size > 1e-6), sum.z / sum.w, 0.0);
}

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= params.people) {
    return;
  }
  let destination = persons[i].destination;
  if (destination == NOWHERE) {
    return;
  }
  let position = poses[i].position;
  let moved = (position - persons[i].origin) / STEP;
  // Who is held up loses speed, but pushes are no speed.
  let velocity = persons[i].velocity;
  persons[i].velocity = select(shortened(velocity, length(moved)), velocity, length(moved) > length(velocity));
  if (wayTo(destination, position).z < ARRIVAL) {
    atomicAdd(&totals.arrived, 1u);
    persons[i].destination = NOWHERE;
    persons[i].velocity = vec2f();
    poses[i].position = vec2f(params.outsideX + 2.0 * f32(i % 64u), params.outsideY + 2.0 * f32(i / 64u));
    groupsNear[i] = 0u;
    groupsWalls[i] = 0u;
    return;
  }
  atomicAdd(&totals.present, 1u);
  atomicAdd(&totals.moving, select(0u, 1u, length(moved) > 0.3));
  for (var k = 0u; k < params.entries; k++) {
    if (distance(entries[k].position, position) < ENTRY_GAP) {
      atomicStore(&entries[k].isTaken, 1u);
    }
  }
}

@compute @workgroup_size(64)
fn enter(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= params.entries) {
    return;
  }
  let isTaken = atomicExchange(&entries[k].isTaken, 0u) != 0u;
  let mode = entries[k].mode;
  if (mode == 2u) {
    entries[k].mode = 0u;
  }
  if (mode == 0u || isTaken) {
    return;
  }
  let entry = k;
  let firstIndex = entries[entry].first;
  let stride = entries[entry].stride;
  let end = entries[entry].end;
  var candidate = entries[entry].cursor;
  for (var tries = 0u; tries < (end - firstIndex + stride - 1u) / stride; tries++) {
    let i = candidate;
    candidate += stride;
    if (candidate >= end) {
      candidate = firstIndex;
    }
    if (persons[i].destination != NOWHERE) {
      continue;
    }
    persons[i].destination = otherZone(entries[entry].zone, hash(params.step * 4096u + k));
    poses[i].position = entries[entry].position;
    poses[i].angle = select(0.0, wrapped(entries[entry].angle), persons[i].isCapsule != 0u);
    groupsNear[i] = PERSON_NEAR;
    groupsWalls[i] = PERSON_WALLS;
    atomicAdd(&totals.present, 1u);
    break;
  }
  entries[entry].cursor = candidate;
}

// Any zone but this one.
fn otherZone(zone: u32, random: u32) -> u32 {
  if (zone >= params.zones) {
    return random % params.zones;
  }
  return (zone + 1u + random % (params.zones - 1u)) % params.zones;
}

// PCG (Jarzynski and Olano 2020).
fn hash(value: u32) -> u32 {
  let state = value * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// After the check: counts are those of `intersects` between people and walls.
@compute @workgroup_size(1)
fn tally() {
  totals.steps += 1u;
  totals.checks += atomicLoad(&totals.present);
  totals.inWalls += counts.hits;
  totals.wallPairs = counts.pairs;
  totals.wallOverflow += counts.pairOverflow;
  totals.invalid += counts.invalidInput + counts.invalidBodies;
}

// After the contacts.
@compute @workgroup_size(1)
fn tallyNear() {
  totals.nearPairs = counts.pairs;
  totals.nearOverflow += counts.pairOverflow;
}
