// People who have arrived leave the plan, and others enter it.

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
  // A person who was held up loses speed. Pushes do not add any.
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

// Any zone but this one. Visitors have no zone of their own, so that they go to any.
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
