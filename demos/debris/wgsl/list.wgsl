// Lists of each body's contacts: `allocate`, then `fill`, then `sort`. Where a list lies and in which order it is filled
// depends on scheduling; what the sorted list holds does not.

@group(0) @binding(0) var<storage, read_write> counters: array<atomic<u32>>;
// First entry and number of entries per body.
@group(0) @binding(1) var<storage, read_write> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> entries: array<u32>;
@group(0) @binding(3) var<storage, read> touches: array<Touch>;
@group(0) @binding(4) var<storage, read> masses: array<Mass>;
@group(0) @binding(5) var<storage, read> hits: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn allocate(@builtin(global_invocation_id) id: vec3u) {
  let count = arrayLength(&ranges);
  if (id.x < count) {
    let length = atomicLoad(&counters[id.x]);
    ranges[id.x] = vec2u(atomicAdd(&counters[count], length), length);
    atomicStore(&counters[id.x], 0u);
  }
}

@compute @workgroup_size(WORKGROUP)
fn fill(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let i = dispatchedRecord(workgroup, grid.x, WORKGROUP, local);
  if (i >= min(hits[LIST_COUNT], TOUCHES)) {
    return;
  }
  enter(touches[i].a, i);
  enter(touches[i].b, i);
}

fn enter(body: u32, touch: u32) {
  if (masses[body].mass > 0.0) {
    entries[ranges[body].x + atomicAdd(&counters[body], 1u)] = touch;
  }
}

@compute @workgroup_size(WORKGROUP)
fn sort(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&ranges)) {
    return;
  }
  let first = ranges[id.x].x;
  let end = first + ranges[id.x].y;
  for (var i = first + 1u; i < end; i++) {
    let entry = entries[i];
    var place = i;
    while (place > first && entries[place - 1u] > entry) {
      entries[place] = entries[place - 1u];
      place--;
    }
    entries[place] = entry;
  }
}
