// The simplex that each pair's search ended with: what the next search of the same pair may start from.

import package::gjk::{NO_GUESS, NO_ID};
import package::simplex::{Simplex};

// Complements of vertices' ids, NO_ID behind the last: new memory, which is zero, holds no guess. What is in it need not make
// sense, as gjk takes it for a guess.
@group(0) @binding(8) var<storage, read_write> simplices: array<vec4u>;

override IS_WARM: bool = false;

fn loadGuess(index: u32) -> vec4u {
  if (IS_WARM) {
    return ~simplices[index];
  }
  return NO_GUESS;
}

fn storeGuess(index: u32, s: Simplex) {
  if (IS_WARM) {
    simplices[index] = ~vec4u(
      s.a.id, select(NO_ID, s.b.id, s.count > 1u), select(NO_ID, s.c.id, s.count > 2u), select(NO_ID, s.d.id, s.count > 3u)
    );
  }
}
