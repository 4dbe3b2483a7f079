/**
 * Contacts of overlapping polytopes by the arcs of their Gauss maps, against the oracle, which tries all faces and all
 * pairs of edges.
 */
import { expect, test } from 'vitest';
import { contact } from '../../src/cpu/queries/contacts.ts';
import { createPairResult, type PairResult } from '../../src/cpu/queries/result.ts';
import { vec3 } from '../../src/cpu/math.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { makeShapeData, type ShapeData } from '../../src/shapes/shape-data.ts';
import { STATUS_OVERLAPPING } from '../../src/generated/constants.ts';
import { makePolytopeFamily, polytopeFamilyNames } from '../../verification/families/overlapping-polytopes.ts';
import { pairsOf, type FamilyPair } from '../../verification/families/test-pairs.ts';
import { signedDistance, type OraclePose } from '../../verification/oracle/index.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const PAIRS = atNight(100, 300);
const FEW = atNight(50, 100);
/** The reference's share of a pair's size. */
const TOLERANCE = 1e-9;
const pair = createPair();

type Vector = readonly [number, number, number];

function contactOf(
  { poseA, poseB }: FamilyPair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  leadStage: 'sat' | 'none',
  moved: Vector = [0, 0, 0],
): PairResult {
  const [x, y, z] = [0, 1, 2].map((k) => poseB.position[k] + moved[k] - poseA.position[k]);
  const [a, b] = [poseA, poseB].map(({ scale = 1, quaternion }: OraclePose) => ({ scale, quaternion }));
  makePair(shapeA, a, shapeB, b, vec3(x, y, z), pair);
  return contact(pair, shapeA, shapeB, { margin: 0, leadStage }, createPairResult());
}

test.each(polytopeFamilyNames)(
  '%s: contacts have the depth of the oracle, and points and bounds that agree',
  (name) => {
    const family = makePolytopeFamily(name, PAIRS, SEED);
    const shapes = family.shapes.map((description) => makeShapeData(description));
    let deep = 0;
    for (const each of pairsOf(family)) {
      const { index, a, b, poseA, poseB, size } = each;
      const truth = signedDistance(a, poseA, b, poseB).distance;
      if (truth > -1e-6 * size) continue;
      deep++;
      const tolerance = TOLERANCE * size;
      const found = contactOf(each, shapes[each.shapeA], shapes[each.shapeB], 'sat');
      const what = `pair ${index} of ${name}, seed ${SEED}`;
      expect(found.status, what).toBe(STATUS_OVERLAPPING);
      expect(Math.abs(found.distance - truth), what).toBeLessThan(tolerance);
      expect(found.lower, what).toBeLessThanOrEqual(truth + 1e-13 * size);
      expect(found.upper, what).toBeGreaterThanOrEqual(truth - 1e-13 * size);
      expect(found.upper - found.lower, what).toBeLessThan(tolerance);
      const { normal, pointA, pointB } = found;
      // Each point is as far out along the normal as its body is, and in the body.
      for (const [shape, pose, point, sign] of [
        [shapes[each.shapeA], poseA, pointA, 1],
        [shapes[each.shapeB], poseB, { x: pointB.x, y: pointB.y, z: pointB.z }, -1],
      ] as const) {
        const from = [0, 1, 2].map((k) => poseA.position[k] - pose.position[k]);
        const at = toBody(pose, [point.x + from[0], point.y + from[1], point.z + from[2]]);
        const n = toBody(pose, [sign * normal.x, sign * normal.y, sign * normal.z]);
        const { vertices, gaussMap } = shape;
        let reach = -Infinity;
        for (let v = 0; v < vertices.length; v += 3)
          reach = Math.max(reach, n[0] * vertices[v] + n[1] * vertices[v + 1] + n[2] * vertices[v + 2]);
        expect(Math.abs(n[0] * at[0] + n[1] * at[1] + n[2] * at[2] - reach), what).toBeLessThan(tolerance);
        for (let f = 0; f < gaussMap.offsets.length; f++) {
          const [x, y, z] = gaussMap.normals.subarray(3 * f, 3 * f + 3);
          expect(x * at[0] + y * at[1] + z * at[2] - gaussMap.offsets[f], what).toBeLessThan(tolerance);
        }
      }
    }
    expect(deep).toBeGreaterThan(PAIRS / 5);
  },
);

function toBody({ quaternion }: OraclePose, [x, y, z]: readonly number[]): Vector {
  const length = Math.hypot(...Array.from(quaternion));
  const [i, j, k, w] = Array.from(quaternion, (q) => q / length);
  // The inverse rotation: v + 2 u × (u × v - w v).
  const [cx, cy, cz] = [j * z - k * y - w * x, k * x - i * z - w * y, i * y - j * x - w * z];
  return [x + 2 * (j * cz - k * cy), y + 2 * (k * cx - i * cz), z + 2 * (i * cy - j * cx)];
}

test.each(polytopeFamilyNames)('%s: one ulp more or less changes the depth by no more than that', (name) => {
  const family = makePolytopeFamily(name, FEW, SEED + 1);
  const shapes = family.shapes.map((description) => makeShapeData(description));
  let tried = 0;
  for (const each of pairsOf(family)) {
    const [shapeA, shapeB] = [shapes[each.shapeA], shapes[each.shapeB]];
    const { distance, status } = contactOf(each, shapeA, shapeB, 'sat');
    if (status !== STATUS_OVERLAPPING || distance > -1e-6 * each.size) continue;
    tried++;
    for (const axis of [0, 1, 2]) {
      for (const sign of [-1, 1]) {
        const moved = [0, 1, 2].map((k) => (k === axis ? sign * 2 ** -52 * each.size : 0)) as unknown as Vector;
        const other = contactOf(each, shapeA, shapeB, 'sat', moved);
        const what = `pair ${each.index} of ${name}, seed ${SEED + 1}, axis ${axis}`;
        expect(other.status, what).toBe(STATUS_OVERLAPPING);
        expect(Math.abs(other.distance - distance), what).toBeLessThan(1e-13 * each.size);
      }
    }
  }
  expect(tried).toBeGreaterThan(FEW / 5);
});

test.each(polytopeFamilyNames)("%s: 'auto' and 'gjk' agree", (name) => {
  const family = makePolytopeFamily(name, FEW, SEED + 2);
  const shapes = family.shapes.map((description) => makeShapeData(description));
  let hits = 0;
  for (const each of pairsOf(family)) {
    const [shapeA, shapeB] = [shapes[each.shapeA], shapes[each.shapeB]];
    const [byArcs, byEpa] = (['sat', 'none'] as const).map((leadStage) => contactOf(each, shapeA, shapeB, leadStage));
    const what = `pair ${each.index} of ${name}, seed ${SEED + 2}`;
    expect(byArcs.hit, what).toBe(byEpa.hit);
    if (!byArcs.hit) continue;
    hits++;
    expect(Math.abs(byArcs.distance - byEpa.distance), what).toBeLessThan(TOLERANCE * each.size);
  }
  expect(hits).toBeGreaterThan(FEW / 5);
});
