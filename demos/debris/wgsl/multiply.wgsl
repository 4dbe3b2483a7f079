// After a sweep: the multipliers follow the forces.

@group(0) @binding(0) var<storage, read> hits: array<u32>;
@group(0) @binding(1) var<storage, read> displacements: array<Displacement>;
@group(0) @binding(2) var<storage, read_write> touches: array<Touch>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let i = dispatchedRecord(workgroup, grid.x, WORKGROUP, local);
  if (i >= min(hits[LIST_COUNT], TOUCHES)) {
    return;
  }
  let movedA = displacements[touches[i].a];
  let movedB = displacements[touches[i].b];
  for (var k = 0u; k < touches[i].pointCount; k++) {
    let point = touches[i].points[k];
    let slip = moving(movedB, point.position - touches[i].offset) - moving(movedA, point.position);
    let push = pushAt(point, touches[i].normal, touches[i].mass, slip);
    touches[i].points[k].force = mix(point.force, push.force, ASCENT);
  }
}
