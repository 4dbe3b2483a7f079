// Room for the corners of a region of any two faces: where there are more it is thinned out.

import package::shared::constants::{MANIFOLD_MANY_CORNERS};

const MOST_CORNERS: u32 = MANIFOLD_MANY_CORNERS;
// Whether there may be more.
const HAS_MORE_CORNERS: bool = true;
