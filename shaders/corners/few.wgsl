// Room for the corners of a region of two boxes' faces.

import package::shared::constants::{MANIFOLD_FEW_CORNERS};

const MOST_CORNERS: u32 = MANIFOLD_FEW_CORNERS;
// Whether there may be more.
const HAS_MORE_CORNERS: bool = false;
