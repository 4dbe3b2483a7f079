// Integers of 64 bits: low word, high word. Negative ones are two's complements.

fn addWide(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + u32(low < a.x));
}

fn negateWide(a: vec2u) -> vec2u {
  return addWide(~a, vec2u(1u, 0u));
}

fn isNegativeWide(a: vec2u) -> bool {
  return a.y >= 0x80000000u;
}

// For numbers that are not negative.
fn isBelowWide(a: vec2u, b: vec2u) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// The product of two words.
fn multiplyWide(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return vec2u((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

// By up to 63 bits. A shift by 32 has no effect in WGSL, so bits that change words are shifted twice.
fn shiftLeftWide(a: vec2u, count: u32) -> vec2u {
  if (count >= 32u) {
    return vec2u(0u, a.x << (count - 32u));
  }
  return vec2u(a.x << count, (a.y << count) | ((a.x >> 1u) >> (31u - count)));
}

// By up to 63 bits. Fills with zeros.
fn shiftRightWide(a: vec2u, count: u32) -> vec2u {
  if (count >= 32u) {
    return vec2u(a.y >> (count - 32u), 0u);
  }
  return vec2u((a.x >> count) | ((a.y << 1u) << (31u - count)), a.y >> count);
}

fn countLeadingZerosWide(a: vec2u) -> u32 {
  return select(32u + countLeadingZeros(a.x), countLeadingZeros(a.y), a.y != 0u);
}
