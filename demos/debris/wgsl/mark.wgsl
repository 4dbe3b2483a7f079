// Lists the contact points of the last step that press, to be drawn. Their order depends on scheduling.

struct Mark {
  position: vec3f,
  // Newtons.
  force: f32,
  // From A to B.
  normal: vec3f,
}

// The arguments of an indirect draw.
struct Draw {
  vertexCount: u32,
  instanceCount: atomic<u32>,
  firstVertex: u32,
  firstInstance: u32,
}

@group(0) @binding(0) var<storage, read> hits: array<u32>;
@group(0) @binding(1) var<storage, read> touches: array<Touch>;
@group(0) @binding(2) var<storage, read> poses: array<Pose>;
@group(0) @binding(3) var<storage, read_write> marks: array<Mark>;
@group(0) @binding(4) var<storage, read_write> draw: Draw;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let i = dispatchedRecord(workgroup, grid.x, WORKGROUP, local);
  if (i >= min(hits[LIST_COUNT], TOUCHES)) {
    return;
  }
  let a = poses[touches[i].a].position;
  for (var p = 0u; p < touches[i].pointCount; p++) {
    let force = length(touches[i].points[p].force) / (STEP * STEP);
    if (force > 0.0) {
      let mark = atomicAdd(&draw.instanceCount, 1u);
      marks[mark] = Mark(a + touches[i].points[p].position, force, touches[i].normal);
    }
  }
}
