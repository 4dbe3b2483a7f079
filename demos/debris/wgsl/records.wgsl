// Records of the solver, and what several of its passes compute from them.

// No body, no contact.
const NONE: u32 = 0xffffffffu;
const WORKGROUP: u32 = 64u;

struct Motion {
  linear: vec3f,
  // Steps for which the body has been at rest, or HELD and the number of its solid.
  rest: u32,
  angular: vec3f,
  // The share of gravity by which its fall grew in the last step: 1 for a body in the air, 0 for one that rests on others.
  fall: f32,
}

// Mass, and inertia about the centre. All zero: the body never moves.
struct Mass {
  mass: f32,
  xx: f32,
  yy: f32,
  zz: f32,
  xy: f32,
  xz: f32,
  yz: f32,
  reserved: f32,
}

// Translation and rotation of a body during the step.
struct Displacement {
  linear: vec3f,
  angular: vec3f,
}

struct Point {
  // Between both surfaces, relative to A's centre.
  position: vec3f,
  // The gap to close, at most. Negative: an overlap to take away.
  gap: f32,
  // Multiplier of the force on B, in units of mass times displacement.
  force: vec3f,
  feature: u32,
}

// A contact. Lists of contacts have room for TOUCHES, and end with a record whose `a` is the number of contacts.
struct Touch {
  normal: vec3f,
  // The reduced mass of both bodies.
  mass: f32,
  // From A's centre to B's.
  offset: vec3f,
  pointCount: u32,
  a: u32,
  b: u32,
  // Of A and of B: the triangle of a mesh, 0 of other shapes.
  parts: vec2u,
  points: array<Point, 4>,
}

struct Push {
  force: vec3f,
  // The share of the friction's stiffness that is left: less than 1 for a point that slides.
  friction: f32,
}

fn inertiaOf(mass: Mass) -> mat3x3f {
  return mat3x3f(mass.xx, mass.xy, mass.xz, mass.xy, mass.yy, mass.yz, mass.xz, mass.yz, mass.zz);
}

fn moving(displacement: Displacement, arm: vec3f) -> vec3f {
  return displacement.linear + cross(displacement.angular, arm);
}

// The force on B at a point, if A and B are displaced as given.
fn pushAt(point: Point, normal: vec3f, mass: f32, slip: vec3f) -> Push {
  let along = dot(slip, normal);
  let before = dot(point.force, normal);
  let push = before - STIFFNESS * mass * (point.gap + along);
  if (push <= 0.0) {
    return Push(vec3f(), 0.0);
  }
  let drag = point.force - before * normal - FRICTION_STIFFNESS * mass * (slip - along * normal);
  let size = length(drag);
  let limit = FRICTION * push;
  let share = select(1.0, limit / size, size > limit);
  return Push(share * drag + push * normal, share);
}
