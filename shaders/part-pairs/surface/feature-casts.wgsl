// How far a convex body has to move along a direction until it leaves a feature of a surface, and where it leaves
// that: it is cast back from beyond. src/parts/surface/feature-casts.ts draws it, and does the same in double
// precision.

import package::cast::{CAST_MET, CAST_STALLED, castCores, movedBy, touchOf};
import package::part-pairs::surface::rows::{OpenPolygon};
import package::queries::pair-unit::{acceptedGap};
import package::queries::witness::{simplexWitness};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core, CORE_TRIANGLE};

// By how much more than needed a body is cast from beyond: as a share of its reach, and in touch tolerances.
const BEYOND: f32 = 1e-3;
const BEYOND_TOUCH: f32 = 16.0;

// A feature in place of A: its core, its axes in A's frame, and its middle.
struct Feature {
  core: Core,
  axes: mat3x3f,
  middle: vec3f,
}

const UNTURNED = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// A normal to cast along, and the feature that is cast at.
struct CastTo {
  isThere: bool,
  normal: vec3f,
  clearance: f32,
  feature: Feature,
}

struct Exit {
  // Whether the body passes the feature.
  isPassed: bool,
  // Negative if the body is before the feature by this much.
  distance: f32,
  // On the feature.
  point: vec3f,
}

// `most`: the exit is at most this. `margin`: a body that is apart by no more than this is found. `reach`: the greatest
// distance of B's points from its middle.
fn exitOf(pair: Pair, feature: Feature, normal: vec3f, most: f32, margin: f32, reach: f32) -> Exit {
  var placed = pair;
  placed.coreA = feature.core;
  placed.rotation = transpose(feature.axes) * pair.rotation;
  placed.translation = (pair.translation - feature.middle) * feature.axes;
  let direction = -(normal * feature.axes);
  let spare = BEYOND * reach + BEYOND_TOUCH * touchOf(pair);
  let beyond = max(most, 0.0) + spare;
  let found = castCores(placed, direction, -beyond, margin + spare + max(-most, 0.0), pair.radiusB);
  let isNear = found.state == CAST_MET ||
      (found.state == CAST_STALLED && found.distance - pair.radiusB <= acceptedGap(pair));
  if (!isNear) {
    return Exit(false, 0.0, vec3f(0.0));
  }
  let cores = simplexWitness(movedBy(placed, direction, found.travelled), found.simplex);
  return Exit(true, -found.travelled, feature.axes * cores.onA + feature.middle);
}

// A polygon as a core: like a triangle with any number of corners. `scale`: from its points' unit to the pair's.
fn coreOfPolygon(polygon: OpenPolygon, scale: f32) -> Core {
  var core: Core;
  core.kind = CORE_TRIANGLE;
  core.scale = scale;
  core.firstRow = polygon.firstRow;
  core.vertexCount = polygon.count;
  return core;
}
