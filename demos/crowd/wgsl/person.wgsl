// A person's record, which the steps write and the drawing reads.

struct Person {
  velocity: vec2f,
  // Position at the beginning of the step.
  origin: vec2f,
  // Metres per second at ease.
  speed: f32,
  // Zone, or NOWHERE for a person who is not in the plan.
  destination: u32,
  isCapsule: u32,
  pad: u32,
}
