// The velocity that a person wants and can reach, and with it the displacement of the step.

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
