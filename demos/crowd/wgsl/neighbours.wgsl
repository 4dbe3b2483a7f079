// How people react to the people and walls near them: signed distances become accelerations and pushes.

const FIXED_POINT: f32 = 65536.0;

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

// Acceleration past somebody in the way: on the side on which the two would pass each other anyway, or on the right if
// they would meet head-on.
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
