// What accept-impacts says of the impact of a pair of parts to first-impact, in the record of the impact.

import package::shared::results::{INFO_LEAVING, INFO_TOUCHING};

// The parts overlap at the start, where the surface decides about their contact.
const INFO_OVERLAPS: u32 = INFO_TOUCHING;
// They do, and the bodies do not approach along the normal.
const INFO_STANDS: u32 = INFO_LEAVING;

// Bodies approach if they do so along the normal by more than this share of their speed: twice the rounding of normals.
const LEAST_APPROACH: f32 = 2e-6;
