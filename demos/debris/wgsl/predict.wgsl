// Begins a step: where each body would go without contacts, its inertia in world axes, and empty lists.

struct Drag {
  // The body that the user drags, or NONE.
  body: u32,
  goal: vec3f,
}

@group(0) @binding(0) var<storage, read> poses: array<Pose>;
@group(0) @binding(1) var<storage, read> masses: array<Mass>;
@group(0) @binding(2) var<storage, read_write> motions: array<Motion>;
@group(0) @binding(3) var<storage, read_write> displacements: array<Displacement>;
@group(0) @binding(4) var<storage, read_write> free: array<Displacement>;
@group(0) @binding(5) var<storage, read_write> inertias: array<Mass>;
// Contacts per body; then the contacts of all lists, and for each solid whether it is broken.
@group(0) @binding(6) var<storage, read_write> counters: array<u32>;
@group(0) @binding(7) var<storage, read_write> touches: array<Touch>;
@group(0) @binding(8) var<uniform> drag: Drag;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  let count = arrayLength(&poses);
  if (i >= count) {
    return;
  }
  counters[i] = 0u;
  if (i == 0u) {
    counters[count] = 0u;
    touches[TOUCHES].a = 0u;
  }

  let mass = masses[i];
  if (mass.mass == 0.0) {
    displacements[i] = Displacement();
    free[i] = Displacement();
    inertias[i] = Mass();
    return;
  }
  var motion = motions[i];
  if (motion.rest >= HELD && counters[count + 1u + motion.rest - HELD] != 0u) {
    motion.rest = 0u;
    motions[i] = motion;
  }
  var gravity = vec3f(0.0, -GRAVITY * STEP, 0.0);
  if (drag.body == i) {
    let wanted = DRAG_RATE * (drag.goal - poses[i].position);
    motion.linear = wanted * min(1.0, DRAG_SPEED / max(length(wanted), 1e-6));
    motion.angular *= 0.9;
    gravity = vec3f();
  }
  free[i] = Displacement(STEP * (motion.linear + gravity), STEP * motion.angular);
  // A body that rests on others starts from where it is: the closer the start, the fewer sweeps are needed.
  displacements[i] = Displacement(STEP * (motion.linear + motion.fall * gravity), STEP * motion.angular);

  let rotation = rotationOf(poses[i].quaternion);
  let world = rotation * inertiaOf(mass) * transpose(rotation);
  inertias[i] = Mass(mass.mass, world[0].x, world[1].y, world[2].z, world[1].x, world[2].x, world[2].y, 0.0);
}

fn rotationOf(q: vec4f) -> mat3x3f {
  let x = q.x;
  let y = q.y;
  let z = q.z;
  let w = q.w;
  return mat3x3f(
    1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y),
    2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
    2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y),
  );
}
