// The angle of a vector in the plane, from -pi to pi, to rounding: WGSL's atan2 may be off by 4096 ULP. Within an
// octant, it is a polynomial of Moshier, "Cephes Mathematical Library" (atanf.c, 1992).
fn angleOf(v: vec2f) -> f32 {
  let size = abs(v);
  let share = min(size.x, size.y) / max(max(size.x, size.y), 1e-37);
  let isUpper = share > 0.414213562;
  let x = select(share, (share - 1.0) / (share + 1.0), isUpper);
  let z = x * x;
  let fraction = z * (-0.333329491539 + z * (0.199777106478 + z * (-0.138776856032 + z * 0.0805374449538)));
  var angle = x + x * fraction + select(0.0, 0.785398163, isUpper);
  angle = select(angle, 1.57079633 - angle, size.y > size.x);
  angle = select(angle, 3.14159265 - angle, v.x < 0.0);
  return select(angle, -angle, v.y < 0.0);
}
