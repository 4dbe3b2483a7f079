// A flag in the last bit of a face's height: the origin is inside the face's plane, and its projection on the plane is
// far outside the face. In exact arithmetic such a face is never the nearest. But the plane of a thin face, tilted by
// rounding, may seem to be the nearest that far from the face.

const ASIDE: u32 = 1u;
// What is subtracted from the height of these faces, to put them behind the others. Heights are below 8.
const ASIDE_HANDICAP: f32 = 1000.0;

fn withFlag(height: f32, isAside: bool) -> f32 {
  return bitcast<f32>((bitcast<u32>(height) & ~ASIDE) | select(0u, ASIDE, isAside));
}

// The height, less the handicap of a face with the flag.
fn withHandicap(height: f32) -> f32 {
  return height - select(0.0, ASIDE_HANDICAP, (bitcast<u32>(height) & ASIDE) == ASIDE);
}
