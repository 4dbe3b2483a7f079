// Boxes in steps of the grid: a coarse test that reads two words, before the exact test of two bodies.
//
// A step is a 32nd of a cell. Places are numbers of steps from the world's origin, modulo 1024, 10 bits per axis in a
// word: bodies that are compared are a few cells apart, or in buckets together by chance. Boxes are rounded outward by
// more than the rounding of two bodies, so no pair is lost.

import package::broad-phase::grid::{CellScale, Place, CELL_SLACK};

// The least and the greatest step of a box along each axis.
struct StepBox {
  low: u32,
  high: u32,
}

const STEPS_PER_CELL: u32 = 32u;
const STEP_BITS: u32 = 10u;
const STEP_MASK: u32 = 1023u;
// The highest bit of each axis.
const STEP_SIGNS: u32 = 0x20080200u;

fn stepBox(centre: Place, half: vec3f, scale: CellScale) -> StepBox {
  return StepBox(stepAt(centre, -half, -CELL_SLACK, scale), stepAt(centre, half, CELL_SLACK, scale));
}

// The step at `metres` from a place. `slack` is in cells.
fn stepAt(place: Place, metres: vec3f, slack: f32, scale: CellScale) -> u32 {
  let stepsPerBlock = scale.cellsPerBlock * STEPS_PER_CELL;
  let steps = f32(stepsPerBlock);
  let within = floor(place.rest * steps + metres * (scale.blocksPerMetre * steps) + slack * f32(STEPS_PER_CELL));
  let step = vec3u(place.block * i32(stepsPerBlock) + vec3i(within)) & vec3u(STEP_MASK);
  return step.x | (step.y << STEP_BITS) | (step.z << (2u * STEP_BITS));
}

// Along each axis, whether a box that is less than a cell long ends in another cell than it begins in.
fn endsInNextCell(box: StepBox) -> vec3<bool> {
  let different = (box.low ^ box.high) / STEPS_PER_CELL;
  let cellMask = STEP_MASK / STEPS_PER_CELL;
  return vec3<bool>(
    (different & cellMask) != 0u,
    ((different >> STEP_BITS) & cellMask) != 0u,
    ((different >> (2u * STEP_BITS)) & cellMask) != 0u
  );
}

// Whether the boxes overlap along all axes: no difference of a greatest and a least step is negative.
fn mayMeet(a: StepBox, b: StepBox) -> bool {
  return ((stepDifference(a.high, b.low) | stepDifference(b.high, a.low)) & STEP_SIGNS) == 0u;
}

// The difference along each axis, modulo 1024. No axis borrows from the next.
fn stepDifference(a: u32, b: u32) -> u32 {
  return ((a | STEP_SIGNS) - (b & ~STEP_SIGNS)) ^ ((a ^ ~b) & STEP_SIGNS);
}
