// Makes a contact of the solver from each manifold. Multipliers are those of the step before at the same features.

@group(0) @binding(0) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read> pairs: array<Pair>;
@group(0) @binding(3) var<storage, read> poses: array<Pose>;
@group(0) @binding(4) var<storage, read> masses: array<Mass>;
@group(0) @binding(5) var<storage, read> former: array<Touch>;
@group(0) @binding(6) var<storage, read_write> touches: array<Touch>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(num_workgroups) grid: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
) {
  let i = dispatchedRecord(workgroup, grid.x, WORKGROUP, local);
  let count = min(hits[LIST_COUNT], TOUCHES);
  if (i >= count) {
    return;
  }
  if (i == 0u) {
    touches[TOUCHES].a = count;
  }
  let manifold = manifolds[i];
  let parts = partsOf(pairs[hits[LIST_HEADER + i]]);
  let pair = bodiesOf(pairs[hits[LIST_HEADER + i]]);
  let massA = masses[pair.x].mass;
  let massB = masses[pair.y].mass;
  var touch: Touch;
  touch.normal = manifold.normal;
  touch.mass = select(massA * massB / max(massA + massB, 1e-30), max(massA, massB), min(massA, massB) == 0.0);
  touch.offset = poses[pair.y].position - poses[pair.x].position;
  touch.a = pair.x;
  touch.b = pair.y;
  touch.parts = parts;
  touch.pointCount = manifoldPointCount(manifold);
  let old = formerTouch(vec4u(pair, parts));
  let points = array(manifold.point0, manifold.point1, manifold.point2, manifold.point3);
  for (var p = 0u; p < touch.pointCount; p++) {
    let feature = manifold.features[p];
    let distance = points[p].w;
    touch.points[p] = Point(
      points[p].xyz + 0.5 * distance * manifold.normal, gapOf(distance), warmForce(old, feature, manifold.normal), feature
    );
  }
  touches[i] = touch;
}

// Only part of an overlap is removed per step, so that bodies do not jump apart.
fn gapOf(distance: f32) -> f32 {
  return select(max(CORRECTION * min(0.0, distance + SLOP), -MAX_CORRECTION), distance, distance >= 0.0);
}

// The contact of the same bodies and parts in the step before: contacts are in ascending order of these.
fn formerTouch(sought: vec4u) -> u32 {
  var first = 0u;
  var end = former[TOUCHES].a;
  while (first < end) {
    let middle = (first + end) / 2u;
    let found = vec4u(former[middle].a, former[middle].b, former[middle].parts);
    if (all(found == sought)) {
      return middle;
    }
    if (isBefore(found, sought)) {
      first = middle + 1u;
    } else {
      end = middle;
    }
  }
  return NONE;
}

// In lexicographic order.
fn isBefore(a: vec4u, b: vec4u) -> bool {
  for (var k = 0u; k < 4u; k++) {
    if (a[k] != b[k]) {
      return a[k] < b[k];
    }
  }
  return false;
}

fn warmForce(old: u32, feature: u32, normal: vec3f) -> vec3f {
  if (old == NONE) {
    return vec3f();
  }
  for (var p = 0u; p < former[old].pointCount; p++) {
    if (former[old].points[p].feature == feature) {
      let force = former[old].points[p].force;
      return select(vec3f(), WARMTH * force, dot(force, normal) > 0.0);
    }
  }
  return vec3f();
}
