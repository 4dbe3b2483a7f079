// Scalars, quaternions, frames.

// Machine epsilon of f32.
const EPSILON: f32 = 1.1920929e-7;

// By its bits: comparisons with NaN or infinity may be compiled away.
fn isFinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn isFinite3(v: vec3f) -> bool {
  return isFinite(v.x) && isFinite(v.y) && isFinite(v.z);
}

// Whether x is finite and has at least these bits, of a positive number: the bits of positive numbers are in their order.
fn isFiniteFrom(x: f32, leastBits: u32) -> bool {
  return bitcast<u32>(x) - leastBits < 0x7f800000u - leastBits;
}

// The largest power of two that is at most x, for normal x; 1 for zero and subnormals.
fn powerOfTwoBelow(x: f32) -> f32 {
  let exponent = bitcast<u32>(x) & 0x7f800000u;
  return bitcast<f32>(select(exponent, 0x3f800000u, exponent == 0u));
}

// 1 / x for a power of two x in [2^-126, 2^126]: exact, where a division may be off by some ULPS.
fn inversePowerOfTwo(x: f32) -> f32 {
  return bitcast<f32>(0x7f000000u - bitcast<u32>(x));
}

// A power of two that brings a vector of this squared length, a normal number, to a length from 0.7 to 1.5: the exponent's half, exact.
fn scaleToUnit(squaredLength: f32) -> f32 {
  return bitcast<f32>(((381u - (bitcast<u32>(squaredLength) >> 23u)) >> 1u) << 23u);
}

// Rotation matrix of a quaternion x, y, z, w of any length: dividing by the squared length once keeps the columns
// orthonormal to rounding without a square root.
fn rotationMatrix(q: vec4f) -> mat3x3f {
  let k = 2.0 / dot(q, q);
  let x = q.x * k;
  let y = q.y * k;
  let z = q.z * k;
  let xx = q.x * x;
  let yy = q.y * y;
  let zz = q.z * z;
  let xy = q.x * y;
  let xz = q.x * z;
  let yz = q.y * z;
  let wx = q.w * x;
  let wy = q.w * y;
  let wz = q.w * z;
  return mat3x3f(
    vec3f(1.0 - (yy + zz), xy + wz, xz - wy),
    vec3f(xy - wz, 1.0 - (xx + zz), yz + wx),
    vec3f(xz + wy, yz - wx, 1.0 - (xx + yy)),
  );
}

// Quaternion product conjugate(a) * b: b's frame seen from a's.
fn relativeQuaternion(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.w * b.xyz - b.w * a.xyz - cross(a.xyz, b.xyz), a.w * b.w + dot(a.xyz, b.xyz));
}

// A unit vector perpendicular to the unit vector u.
fn perpendicular(u: vec3f) -> vec3f {
  let a = abs(u);
  if (a.x <= a.y && a.x <= a.z) {
    return normalize(vec3f(0.0, -u.z, u.y));
  }
  if (a.y <= a.z) {
    return normalize(vec3f(u.z, 0.0, -u.x));
  }
  return normalize(vec3f(-u.y, u.x, 0.0));
}
