// The Gauss map of a hull, as rows of `geometry`; that of a box is known without. src/shapes/gauss-map.ts makes it,
// src/shapes/arc-trails.ts the order of the arcs: along trails, so that an arc's start is the end of the one before.

import package::shared::geometry::{candidateRows, geometryNumber, geometryPlane, geometryRow};
import package::shared::math::{unitAxis};
import package::shared::shapes::{Shape, Core, CORE_BOX};

struct GaussMap {
  isBox: bool,
  halfExtents: vec3f,
  // Factor of the offsets of planes.
  scale: f32,
  // The length that COARSE_ONE stands for in offsets of coarse planes.
  reach: f32,
  firstRow: u32,
  normalCount: u32,
  // Steps of the trails: a normal each, which is the start of a trail or the end of an arc from the step before.
  stepCount: u32,
}

// Coarse planes have multiples of 1 / COARSE_ONE. Normals are off by half of one at most; offsets are up to two smaller
// or one greater.
const COARSE_ONE: f32 = 32767.0;
const COARSE_UNSET: u32 = 0x10000u;
// The faces of a box along its only trail, four bits each, from the last ones.
const BOX_TRAIL: vec2u = vec2u(0x51435240u, 0x03120u);

// A core that is neither a box nor has vertices has no arcs.
fn gaussMapOf(shape: Shape, core: Core) -> GaussMap {
  var map = GaussMap(shape.kind == CORE_BOX, core.halfExtents, core.scale, 1.0, 0u, 6u, 13u);
  if (!map.isBox) {
    map.normalCount = 0u;
    map.stepCount = 0u;
    if (shape.cellResolution > 0u) {
      // After the candidates of the last cell.
      let mapRow = candidateRows(shape.firstCellRow, 6u * shape.cellResolution * shape.cellResolution - 1u).y;
      let row = geometryRow(mapRow);
      map.reach = bitcast<f32>(row.z) * core.scale;
      map.firstRow = mapRow + 1u;
      map.normalCount = row.x;
      map.stepCount = row.y;
    }
  }
  return map;
}

// The outward normal and the offset of a face. Those of a box: 2 axis + (1 where positive).
fn planeOf(map: GaussMap, number: u32) -> vec4f {
  if (map.isBox) {
    let axis = unitAxis(number >> 1u);
    return vec4f(axis * select(-1.0, 1.0, (number & 1u) == 1u), dot(axis, map.halfExtents));
  }
  return geometryPlane(map.firstRow + number) * vec4f(1.0, 1.0, 1.0, map.scale);
}

// Two coarse planes in units of 1 / COARSE_ONE. An unset one is no face, or is where a trail begins.
struct CoarsePlanes {
  first: vec4f,
  second: vec4f,
  areSet: vec2<bool>,
}

// Of faces 2 number and 2 number + 1.
fn coarseFaces(map: GaussMap, number: u32) -> CoarsePlanes {
  if (map.isBox) {
    return CoarsePlanes(
      COARSE_ONE * planeOf(map, 2u * number), COARSE_ONE * planeOf(map, 2u * number + 1u), vec2(true)
    );
  }
  return coarsePlanes(map.firstRow + map.normalCount + number);
}

// Of steps 2 number and 2 number + 1.
fn coarseSteps(map: GaussMap, number: u32) -> CoarsePlanes {
  let step = 2u * number;
  if (map.isBox) {
    return CoarsePlanes(
      COARSE_ONE * planeOf(map, normalOfStep(map, step)), COARSE_ONE * planeOf(map, normalOfStep(map, step + 1u)),
      vec2(step > 0u, step + 1u < map.stepCount)
    );
  }
  return coarsePlanes(map.firstRow + map.normalCount + ((map.normalCount + 1u) >> 1u) + number);
}

fn coarsePlanes(row: u32) -> CoarsePlanes {
  let words = geometryRow(row);
  let low = vec4f(vec4i(words << vec4u(16u)) >> vec4u(16u));
  let high = vec4f(vec4i(words) >> vec4u(16u));
  return CoarsePlanes(
    vec4f(low.x, high.x, low.y, high.y), vec4f(low.z, high.z, low.w, high.w),
    (words.yw & vec2u(COARSE_UNSET)) == vec2u(0u)
  );
}

// The number of a step's normal.
fn normalOfStep(map: GaussMap, step: u32) -> u32 {
  if (map.isBox) {
    return (select(BOX_TRAIL.x, BOX_TRAIL.y, step >= 8u) >> (4u * (step & 7u))) & 7u;
  }
  return geometryNumber(firstStepRow(map), step);
}

// After the planes and the coarse planes.
fn firstStepRow(map: GaussMap) -> u32 {
  return map.firstRow + map.normalCount + ((map.normalCount + 1u) >> 1u) + ((map.stepCount + 1u) >> 1u);
}
