// Ends a step: new velocities and poses. A body that has been slow for long keeps its pose.

@group(0) @binding(0) var<storage, read> masses: array<Mass>;
@group(0) @binding(1) var<storage, read> displacements: array<Displacement>;
@group(0) @binding(2) var<storage, read_write> motions: array<Motion>;
@group(0) @binding(3) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&poses) || masses[i].mass == 0.0) {
    return;
  }
  let linear = displacements[i].linear / STEP;
  let angular = displacements[i].angular / STEP;
  let before = motions[i];
  let fall = clamp((before.linear.y - linear.y) / (GRAVITY * STEP), 0.0, 1.0);
  var rest = 0u;
  if (before.rest >= HELD) {
    rest = before.rest;
    if (length(linear) > HOLD_SPEED) {
      atomicStore(&counters[arrayLength(&poses) + 1u + rest - HELD], 1u);
      rest = 0u;
    }
  } else if (length(linear) < REST_SPEED && length(angular) < REST_TURN) {
    rest = min(before.rest + REST_COUNT, REST_STEPS + 1u);
  } else if (length(linear) < ROCK_SPEED && length(angular) < ROCK_TURN && before.rest <= REST_STEPS) {
    rest = before.rest + 1u;
  }
  if (rest > REST_STEPS) {
    motions[i] = Motion(vec3f(), rest, vec3f(), fall);
    return;
  }
  motions[i] = Motion(DAMPING * linear, rest, TURN_DAMPING * angular, fall);
  poses[i].position += displacements[i].linear;
  poses[i].quaternion = turned(poses[i].quaternion, displacements[i].angular);
}

// The orientation q after a rotation by the vector r.
fn turned(q: vec4f, r: vec3f) -> vec4f {
  let angle = length(r);
  let half = r * select(0.5, sin(0.5 * angle) / angle, angle > 1e-6);
  let w = cos(0.5 * angle);
  return normalize(vec4f(w * q.xyz + q.w * half + cross(half, q.xyz), w * q.w - dot(half, q.xyz)));
}
