// How bodies move: leaves of doors to their targets, people as they are steered, both up to the first impact.

const NO_PAIR: u32 = 0xffffffffu;

@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i == 0u) {
    atomicStore(&totals.present, 0u);
    atomicStore(&totals.touching, 0u);
    atomicStore(&totals.moving, 0u);
  }
  if (i >= params.bodies) {
    return;
  }
  velocities[i] = PlanarVelocity(vec2f(), 0.0, 0.0);
  if (i < params.people) {
    persons[i].origin = poses[i].position;
    atomicStore(&forces[i].x, 0);
    atomicStore(&forces[i].y, 0);
    atomicStore(&forces[i].pushX, 0);
    atomicStore(&forces[i].pushY, 0);
  } else if (i < params.people + params.leaves) {
    let way = leafTargets[i - params.people] - poses[i].position;
    velocities[i].linear = shortened(way, DOOR_SPEED * STEP);
  }
}

// Moves each body by its displacement up to its first impact. The rest of the displacement, projected onto the obstacle
// and turned a little away from it, is the displacement of the next round.
@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= params.people + params.leaves) {
    return;
  }
  let velocity = velocities[i];
  // A pair for which there was no room could be a wall, so nobody moves.
  if (i == 0u) {
    totals.wallOverflow += counts.pairOverflow + counts.hitOverflow;
  }
  if (counts.pairOverflow > 0u || counts.hitOverflow > 0u) {
    velocities[i] = PlanarVelocity(vec2f(), 0.0, 0.0);
    return;
  }
  var share = 1.0;
  var rest = vec2f();
  let pair = first[i];
  if (pair != NO_PAIR) {
    let impact = impacts[slotOf(pair)];
    share = min(planarImpactTime(impact), 1.0);
    if (i < params.people) {
      let towards = select(-impact.normal, impact.normal, pairs[pair].x == i);
      rest = (1.0 - share) * velocity.linear;
      rest -= max(dot(rest, towards), 0.0) * towards;
      rest -= LIFT * length(rest) * towards;
    }
  }
  poses[i].position += share * velocity.linear;
  poses[i].angle = wrapped(poses[i].angle + share * velocity.angular);
  velocities[i] = PlanarVelocity(rest, 0.0, 0.0);
}

// The list of hits is in ascending order of pairs.
fn slotOf(pair: u32) -> u32 {
  var low = 0u;
  var high = countsHitRecords(counts);
  while (low < high) {
    let middle = (low + high) / 2u;
    if (hits[LIST_HEADER + middle] < pair) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}
