// The face or arc with the greatest least height.

const NOTHING: u32 = 0u;
const FACE: u32 = 1u;
const ARC: u32 = 2u;

// Its normal is in the frame of its body.
struct Winner {
  kind: u32,
  number: u32,
  isOfB: bool,
  // Not of unit length.
  normal: vec3f,
}
