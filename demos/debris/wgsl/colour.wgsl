// One round of colouring. A body whose colour is also that of a neighbour with a lower index takes another that no
// neighbour has. In the last round it takes none, and is solved with the others that have none.

struct Round {
  number: u32,
  isLast: u32,
}

@group(0) @binding(0) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(1) var<storage, read> entries: array<u32>;
@group(0) @binding(2) var<storage, read> touches: array<Touch>;
@group(0) @binding(3) var<storage, read> masses: array<Mass>;
@group(0) @binding(4) var<storage, read> before: array<u32>;
@group(0) @binding(5) var<storage, read_write> after: array<u32>;
@group(0) @binding(6) var<uniform> round: Round;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&ranges)) {
    return;
  }
  let colour = before[i];
  var taken = 0u;
  var isTaken = colour >= COLOURS;
  let range = ranges[i];
  for (var n = 0u; n < range.y; n++) {
    let touch = entries[range.x + n];
    let other = touches[touch].a + touches[touch].b - i;
    if (masses[other].mass > 0.0 && before[other] < COLOURS) {
      taken |= 1u << before[other];
      isTaken |= before[other] == colour && other < i;
    }
  }
  let free = ~taken & ((1u << COLOURS) - 1u);
  if (!isTaken) {
    after[i] = colour;
  } else if (round.isLast != 0u || free == 0u) {
    after[i] = COLOURS;
  } else {
    after[i] = pick(free, hash(i * 64u + round.number) % countOneBits(free));
  }
}

// The index of the nth set bit.
fn pick(bits: u32, n: u32) -> u32 {
  var left = bits;
  for (var k = 0u; k < n; k++) {
    left &= left - 1u;
  }
  return countTrailingZeros(left);
}

// PCG's output function (Jarzynski and Olano 2020).
fn hash(value: u32) -> u32 {
  let state = value * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
