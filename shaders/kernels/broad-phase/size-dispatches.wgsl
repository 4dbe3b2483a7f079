// Sizes dispatches whose workgroups grow in number with pairs or rays, for those that there are.

struct SizeParameters {
  // Of pairs or rays.
  count: u32,
  // Those beyond it are left out.
  capacity: u32,
  // Per dispatch: pairs or rays per workgroup, the most workgroups, workgroups in a row of the grid, and the least
  // workgroups. Without dispatch: 0.
  sizes: array<vec4u, 8>,
}

@group(0) @binding(0) var<uniform> parameters: SizeParameters;
// Three arguments per dispatch.
@group(0) @binding(1) var<storage, read_write> dispatchSizes: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let size = parameters.sizes[localIndex];
  if (size.x == 0u) {
    return;
  }
  let count = min(parameters.count, parameters.capacity);
  let needed = count / size.x + select(0u, 1u, count % size.x != 0u);
  let workgroups = clamp(needed, size.w, size.y);
  dispatchSizes[3u * localIndex] = min(workgroups, size.z);
  dispatchSizes[3u * localIndex + 1u] = max(1u, (workgroups + size.z - 1u) / size.z);
  dispatchSizes[3u * localIndex + 2u] = 1u;
}
