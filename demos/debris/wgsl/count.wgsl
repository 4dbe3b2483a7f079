// Counts the contacts of each body.

@group(0) @binding(0) var<storage, read> hits: array<u32>;
@group(0) @binding(1) var<storage, read> pairs: array<Pair>;
@group(0) @binding(2) var<storage, read> masses: array<Mass>;
@group(0) @binding(3) var<storage, read_write> counters: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let i = dispatchedRecord(workgroup, grid.x, WORKGROUP, local);
  if (i >= min(hits[LIST_COUNT], TOUCHES)) {
    return;
  }
  let pair = bodiesOf(pairs[hits[LIST_HEADER + i]]);
  if (masses[pair.x].mass > 0.0) {
    atomicAdd(&counters[pair.x], 1u);
  }
  if (masses[pair.y].mass > 0.0) {
    atomicAdd(&counters[pair.y], 1u);
  }
}
