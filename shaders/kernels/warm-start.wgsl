// The simplex at the end of each pair's search, from which the next search of the same pair may start.

import package::gjk::{Guess, NO_GUESS, NO_ID};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core};
import package::shared::support::{isCurved};
import package::simplex::{Simplex};

// Per vertex of the simplex: the complements of its number on A in the low half and on B in the high half. Complements,
// because new memory is zero and then holds no guess. Any content is safe: gjk takes it as a guess only. For curved
// cores the first 16 bits of a number are kept.
@group(0) @binding(8) var<storage, read_write> simplices: array<vec4u>;

override IS_WARM: bool = false;

// A half word that names no vertex.
const NO_HALF: u32 = 0xffffu;

fn loadGuess(index: u32, pair: Pair) -> Guess {
  if (IS_WARM) {
    let stored = ~simplices[index];
    return Guess(longNumbers(stored & vec4u(NO_HALF), pair.coreA), longNumbers(stored >> vec4u(16u), pair.coreB));
  }
  return NO_GUESS;
}

fn storeGuess(index: u32, pair: Pair, s: Simplex) {
  if (IS_WARM) {
    let isThere = vec4u(0u, 1u, 2u, 3u) < vec4u(s.count);
    let a = shortNumbers(vec4u(s.a.id.x, s.b.id.x, s.c.id.x, s.d.id.x), pair.coreA);
    let b = shortNumbers(vec4u(s.a.id.y, s.b.id.y, s.c.id.y, s.d.id.y), pair.coreB);
    simplices[index] = ~select(vec4u(NO_ID), a | (b << vec4u(16u)), isThere);
  }
}

fn longNumbers(stored: vec4u, core: Core) -> vec4u {
  let numbers = select(stored, stored << vec4u(16u), vec4<bool>(isCurved(core)));
  return select(numbers, vec4u(NO_ID), stored == vec4u(NO_HALF));
}

fn shortNumbers(numbers: vec4u, core: Core) -> vec4u {
  return select(numbers, numbers >> vec4u(16u), vec4<bool>(isCurved(core)));
}
