/** Records of the kernels for a caller's own shaders: WGSL text and byte layouts. */
import { moduleCode } from './generated/kernels.ts';

export { layouts } from './generated/layouts.ts';
export { LIST_HEADER } from './generated/constants.ts';

/** WGSL of the structs and constants that result buffers hold: `Distance`, `Contact`, `Manifold`, `Impact`, `Counts`, `STATUS_`..., `INFO_`... */
export const resultsWgsl: string = moduleCode('shared/results');
/** WGSL of the structs `Shape`, `Pose`, `Velocity` and `Core`. */
export const shapesWgsl: string = moduleCode('shared/shapes');
/** WGSL of the structs that result buffers of the plane hold: `PlanarDistance`, `PlanarContact`, `PlanarManifold`, `PlanarImpact`. `Counts` and the constants are in `resultsWgsl`. */
export const planarResultsWgsl: string = moduleCode('planar/results');
/** WGSL of the structs `PlanarShape`, `PlanarPose`, `PlanarVelocity` and `PlanarCore`, beside those of `shapesWgsl` or alone. */
export const planarShapesWgsl: string = moduleCode('planar/shapes');
