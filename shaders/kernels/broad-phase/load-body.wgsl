// Loads bodies for the tests of two bodies, by their places in the grid. Loads take most of a test's time. Most boxes
// are centred on their bodies, and most bodies meet all groups, so the offset and the groups are each loaded only if
// the body has their flag.

import package::broad-phase::bound::{GridBody, ALL_GROUPS, HAS_GROUPS, IS_OFF_CENTRE, NUMBER_MASK};

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
  return bodies[place].body & NUMBER_MASK;
}
