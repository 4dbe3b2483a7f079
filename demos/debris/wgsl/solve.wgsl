// Moves each body of one colour to the minimum of its energy, while the others stand still: six equations per body.

@group(0) @binding(0) var<storage, read> colours: array<u32>;
@group(0) @binding(1) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> entries: array<u32>;
@group(0) @binding(3) var<storage, read> touches: array<Touch>;
@group(0) @binding(4) var<storage, read> free: array<Displacement>;
@group(0) @binding(5) var<storage, read> inertias: array<Mass>;
@group(0) @binding(6) var<storage, read_write> displacements: array<Displacement>;
@group(0) @binding(7) var<storage, read_write> aside: array<Displacement>;
@group(0) @binding(8) var<uniform> colour: vec4u;

@compute @workgroup_size(WORKGROUP)
fn solve(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < arrayLength(&ranges) && colours[i] == colour.x && inertias[i].mass > 0.0) {
    let change = solution(i);
    displacements[i].linear += change.linear;
    displacements[i].angular += change.angular;
  }
}

// Bodies without a colour may touch each other. `apply` comes when all of them have read their neighbours.
@compute @workgroup_size(WORKGROUP)
fn solveAside(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < arrayLength(&ranges) && colours[i] == COLOURS && inertias[i].mass > 0.0) {
    aside[i] = solution(i);
  }
}

@compute @workgroup_size(WORKGROUP)
fn apply(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < arrayLength(&colours) && colours[i] == COLOURS && inertias[i].mass > 0.0) {
    displacements[i].linear += RELAXATION * aside[i].linear;
    displacements[i].angular += RELAXATION * aside[i].angular;
  }
}

fn solution(body: u32) -> Displacement {
  let mass = inertias[body];
  let inertia = inertiaOf(mass);
  var force = mass.mass * (free[body].linear - displacements[body].linear);
  var torque = inertia * (free[body].angular - displacements[body].angular);
  // The matrix of the equations is (linear, mixed; transposed mixed, angular).
  var linear = mat3x3f(mass.mass, 0.0, 0.0, 0.0, mass.mass, 0.0, 0.0, 0.0, mass.mass);
  var mixed = mat3x3f();
  var angular = inertia;
  let range = ranges[body];
  for (var n = 0u; n < range.y; n++) {
    let touch = entries[range.x + n];
    let a = touches[touch].a;
    let b = touches[touch].b;
    let normal = touches[touch].normal;
    let reduced = touches[touch].mass;
    let offset = touches[touch].offset;
    let movedA = displacements[a];
    let movedB = displacements[b];
    for (var k = 0u; k < touches[touch].pointCount; k++) {
      let point = touches[touch].points[k];
      let armB = point.position - offset;
      let push = pushAt(point, normal, reduced, moving(movedB, armB) - moving(movedA, point.position));
      let arm = select(point.position, armB, b == body);
      let onBody = select(-push.force, push.force, b == body);
      force += onBody;
      torque += cross(arm, onBody);
      // Points that are apart count too: otherwise the body would jump to and fro across the surface.
      let drag = push.friction * FRICTION_STIFFNESS * reduced;
      let stiffness = scaled(drag) + outer((STIFFNESS * reduced - drag) * normal, normal);
      let turn = crossMatrix(arm);
      let turned = stiffness * turn;
      linear += stiffness;
      mixed -= turned;
      angular -= turn * turned;
    }
  }
  // Elimination of the rotation: the Schur complement of `angular`.
  let inverse = inverseOf(angular);
  let carried = mixed * inverse;
  let translation = inverseOf(linear - carried * transpose(mixed)) * (force - carried * torque);
  return Displacement(translation, inverse * (torque - transpose(mixed) * translation));
}

fn scaled(value: f32) -> mat3x3f {
  return mat3x3f(value, 0.0, 0.0, 0.0, value, 0.0, 0.0, 0.0, value);
}

fn outer(a: vec3f, b: vec3f) -> mat3x3f {
  return mat3x3f(a * b.x, a * b.y, a * b.z);
}

// The matrix of v => cross(r, v).
fn crossMatrix(r: vec3f) -> mat3x3f {
  return mat3x3f(0.0, r.z, -r.y, -r.z, 0.0, r.x, r.y, -r.x, 0.0);
}

fn inverseOf(m: mat3x3f) -> mat3x3f {
  let x = cross(m[1], m[2]);
  let y = cross(m[2], m[0]);
  let z = cross(m[0], m[1]);
  return transpose(mat3x3f(x, y, z)) * (1.0 / dot(m[0], x));
}
