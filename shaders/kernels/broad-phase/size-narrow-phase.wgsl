// Sizes the dispatches of a batch's query whose workgroups grow in number with the pairs, for the pairs found.

struct NarrowPhaseParameters {
  pairCount: u32,
  // Capacity in pairs: pairs beyond it are left out.
  pairCapacity: u32,
  // Pairs per workgroup, the most workgroups, and workgroups in a row of the grid.
  sizes: array<vec4u, 8>,
}

@group(0) @binding(0) var<uniform> parameters: NarrowPhaseParameters;
// Three arguments per dispatch.
@group(0) @binding(1) var<storage, read_write> dispatchSizes: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let size = parameters.sizes[localIndex];
  let pairCount = min(parameters.pairCount, parameters.pairCapacity);
  let perWorkgroup = max(1u, size.x);
  // One at least: it writes the counts, also if they are 0.
  let needed = max(1u, pairCount / perWorkgroup + select(0u, 1u, pairCount % perWorkgroup != 0u));
  let workgroups = min(needed, size.y);
  let width = max(1u, size.z);
  dispatchSizes[3u * localIndex] = min(workgroups, width);
  dispatchSizes[3u * localIndex + 1u] = (workgroups + width - 1u) / width;
  dispatchSizes[3u * localIndex + 2u] = 1u;
}
