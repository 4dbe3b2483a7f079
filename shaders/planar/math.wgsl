// Rotations and perpendiculars in 2-D. A rotation is the unit vector that it takes the x axis to: cosine and
// sine.

// A vector turned by a rotation.
fn rotate(r: vec2f, v: vec2f) -> vec2f {
  return vec2f(r.x * v.x - r.y * v.y, r.y * v.x + r.x * v.y);
}

// A vector turned back.
fn rotateBack(r: vec2f, v: vec2f) -> vec2f {
  return vec2f(r.x * v.x + r.y * v.y, r.x * v.y - r.y * v.x);
}

// A vector turned by a quarter to the left.
fn leftOf(v: vec2f) -> vec2f {
  return vec2f(-v.y, v.x);
}

// A vector turned by a quarter to the right: out of a shape whose boundary runs along v, counter-clockwise.
fn rightOf(v: vec2f) -> vec2f {
  return vec2f(v.y, -v.x);
}

// Twice the area of the triangle of two vectors, positive where b lies to the left of a.
fn cross2(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

// The unit vector along v, however short v is; `otherwise` for zero.
fn directionOf(v: vec2f, otherwise: vec2f) -> vec2f {
  let longest = max(abs(v.x), abs(v.y));
  if (longest < 1e-37) {
    return otherwise;
  }
  let scaled = v / longest;
  return scaled / length(scaled);
}
