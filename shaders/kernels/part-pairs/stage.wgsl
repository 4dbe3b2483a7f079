// What `advance` has published, and where the bodies of each pair are.

import package::part-pairs::placement::{PartPlacement};
import package::part-pairs::records::{PartStage};

@group(0) @binding(1) var<storage, read> stage: PartStage;
@group(0) @binding(3) var<storage, read> placements: array<PartPlacement>;
