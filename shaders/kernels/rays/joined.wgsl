// Bodies of a batch, and behind the room for them its rays.

@group(0) @binding(3) var<storage, read_write> poses: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> bodyShapes: array<u32>;
// Rows of Velocity or PlanarVelocity, as many as of poses.
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> groups: array<u32>;
