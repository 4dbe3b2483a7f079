// The bodies in the order of the grid, or of their numbers, as the tests of two bodies read them. Most boxes are centred
// on their bodies, and most bodies meet all groups: then neither is read, because loads take most of a test's time.

import package::broad-phase::bound::{bodyNumber, GridBody, ALL_GROUPS, HAS_GROUPS, IS_OFF_CENTRE};

@group(0) @binding(12) var<storage, read> bodies: array<GridBody>;

fn bodyAt(place: u32) -> GridBody {
  var body = GridBody(
    bodies[place].position, bodies[place].body, bodies[place].half, ALL_GROUPS, vec3f(0.0), bodies[place].key
  );
  if ((body.body & HAS_GROUPS) != 0u) {
    body.groups = bodies[place].groups;
  }
  if ((body.body & IS_OFF_CENTRE) != 0u) {
    body.offset = bodies[place].offset;
  }
  return body;
}

fn numberAt(place: u32) -> u32 {
  return bodyNumber(bodies[place]);
}
