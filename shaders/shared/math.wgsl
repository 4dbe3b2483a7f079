// Scalars, quaternions, frames.

// Machine epsilon of f32.
const EPSILON: f32 = 1.1920929e-7;

// Tests the bits, since comparisons with NaN or infinity may be compiled away.
fn isFinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn isFinite3(v: vec3f) -> bool {
  return isFinite(v.x) && isFinite(v.y) && isFinite(v.z);
}

// Whether x is positive, finite, and at least the positive number with these bits: bits of positive numbers have the
// order of the numbers.
fn isFiniteFrom(x: f32, leastBits: u32) -> bool {
  return bitcast<u32>(x) - leastBits < 0x7f800000u - leastBits;
}

// Whether x is above 0 and at most `most`.
fn isPositiveUpTo(x: f32, most: f32) -> bool {
  return bitcast<u32>(x) - 1u < bitcast<u32>(most);
}

// Whether x is from -most to most.
fn isWithin(x: f32, most: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) <= bitcast<u32>(most);
}

fn isWithin3(v: vec3f, most: f32) -> bool {
  return isWithin(v.x, most) && isWithin(v.y, most) && isWithin(v.z, most);
}

// The unit vector along axis 0, 1 or 2.
fn unitAxis(i: u32) -> vec3f {
  return select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(i));
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

// A power of two that scales a vector of this squared length, a normal number, to a length from 0.7 to 1.5: exact, by
// halving the exponent.
fn scaleToUnit(squaredLength: f32) -> f32 {
  return bitcast<f32>(((381u - (bitcast<u32>(squaredLength) >> 23u)) >> 1u) << 23u);
}

// Rotation matrix of a quaternion x, y, z, w of any length. A single division by the squared length keeps the columns
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

// Quaternion product conjugate(a) * b: the rotation from b's frame to a's.
fn relativeQuaternion(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.w * b.xyz - b.w * a.xyz - cross(a.xyz, b.xyz), a.w * b.w + dot(a.xyz, b.xyz));
}

// Cosine and sine of an angle from -16 to 16, to rounding: WGSL's own may be off by 2^-11. The angle is reduced by
// quarter turns, with pi / 2 split so that multiples of its first part are exact. Then come the polynomials of Moshier,
// "Cephes Mathematical Library" (sinf.c, 1992).
fn cosineAndSine(angle: f32) -> vec2f {
  let quarter = round(angle * 0.636619772);
  let rest = (angle - quarter * 1.5703125) - quarter * 4.838267948966e-4;
  let z = rest * rest;
  let sine = rest + rest * z * (-0.16666654611 + z * (8.3321608736e-3 - z * 1.9515295891e-4));
  let cosine = 1.0 - 0.5 * z + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
  let turns = i32(quarter) & 3;
  let at = select(vec2f(cosine, sine), vec2f(-sine, cosine), (turns & 1) == 1);
  return select(at, -at, turns >= 2);
}

// The product of quaternions: the rotation b followed by a.
fn quaternionProduct(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
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

// The inverse rotation.
fn conjugate(q: vec4f) -> vec4f {
  return vec4f(-q.xyz, q.w);
}

// As rotationMatrix(q) * v, in fewer operations for a single vector.
fn rotated(q: vec4f, v: vec3f) -> vec3f {
  let t = cross(q.xyz, v) * (2.0 / dot(q, q));
  return v + q.w * t + cross(q.xyz, t);
}
