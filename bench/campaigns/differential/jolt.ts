/**
 * Jolt's answers: `TransformedShape.CollideShape` for the closest hit, without separation for overlap and depth, and
 * again with one for the gap of those that do not overlap. What is made for a family is released or destroyed after it.
 */

import { readFileSync } from 'node:fs';
import type { Family } from '../../../verification/families/families.ts';
import { Jolt, joltShape, registerTypes, setPose } from '../../throughput/peers/jolt-shapes.ts';
import type { Answers, Peer } from './peer.ts';

/** Jolt's defaults: metres between what counts as touching in GJK, and a share of the squared depth in EPA. */
const TOLERANCE = 1e-4;

export function openJolt(): Peer {
  registerTypes();
  return {
    name: 'jolt',
    title: 'Jolt',
    version: `jolt-physics ${packageVersion()}`,
    scope: {
      types: ['sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', 'cone', 'halfspace'],
      rounded: [],
      without: ['triangle/triangle', 'triangle/halfspace'],
      hasOffset: true,
    },
    overlapSlack: { absolute: TOLERANCE, relative: 5e-6, ofDistance: 0 },
    distanceSlack: { absolute: TOLERANCE, relative: 1e-5, ofDistance: 1e-3 },
    notes: [
      'Overlap and depths are `TransformedShape.CollideShape` for the closest hit, gaps the same with a ' +
        'separation of as much as the bodies',
      'are apart. Tolerances are the defaults, of 0.1 mm and 1e-4. Convex radius 0, and so nothing rounded: a ' +
        'radius that Jolt is given it takes',
      'off the shape first, and its EPA does without. Cones are tapered cylinders with a top radius of 0, ' +
        'triangles meshes of one triangle, which collide',
      'with both sides; meshes are not tested against each other and planes. Cylinders and cones have a height ' +
        'and a radius. There is no ellipsoid:',
      'a scaled sphere has to be scaled evenly.',
    ],
    answer,
  };
}

function packageVersion(): string {
  return (JSON.parse(readFileSync('node_modules/jolt-physics/package.json', 'utf8')) as { version: string }).version;
}

function answer(family: Family): Answers {
  const { shapes, bodies, pairs } = family;
  const known = shapes.map(joltShape);
  const count = pairs.length / 2;
  const overlaps = new Uint8Array(count);
  const distance = new Float64Array(count);
  const unscaled = new Jolt.Vec3(1, 1, 1);
  const base = new Jolt.RVec3(0, 0, 0);
  const position = new Jolt.RVec3();
  const rotation = new Jolt.Quat(0, 0, 0, 1);
  const placedA = new Jolt.TransformedShape();
  const placedB = new Jolt.TransformedShape();
  const filter = new Jolt.ShapeFilter();
  const settings = new Jolt.CollideShapeSettings();
  settings.mBackFaceMode = Jolt.EBackFaceMode_CollideWithBackFaces;
  settings.mActiveEdgeMode = Jolt.EActiveEdgeMode_CollideWithAll;
  settings.mCollisionTolerance = TOLERANCE;
  settings.mPenetrationTolerance = TOLERANCE;
  const collector = new Jolt.CollideShapeClosestHitCollisionCollector();
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
    const [shapeA, shapeB] = [known[bodies.shapes[a]], known[bodies.shapes[b]]];
    setPose(bodies, a, position, rotation);
    placedA.mShape = shapeA;
    placedA.SetWorldTransform(position, rotation, unscaled);
    setPose(bodies, b, position, rotation);
    placedB.mShape = shapeB;
    placedB.SetWorldTransform(position, rotation, unscaled);
    const collide = (separation: number): boolean => {
      settings.mMaxSeparationDistance = separation;
      collector.Reset();
      placedB.CollideShape(shapeA, unscaled, placedA.GetCenterOfMassTransform(), settings, base, collector, filter);
      return collector.HadHit();
    };
    overlaps[i] = collide(0) ? 1 : 0;
    distance[i] = overlaps[i] || collide(reach(family, a, b)) ? -collector.mHit.mPenetrationDepth : NaN;
  }
  const milliseconds = performance.now() - start;
  for (const used of [placedA, placedB, unscaled, base, position, rotation, filter, settings, collector])
    Jolt.destroy(used);
  for (const shape of known) shape.Release();
  return { overlaps, distance, milliseconds };
}

/**
 * A little more than a gap can be, as shapes hold their origins. Jolt inflates a shape by as much, in single precision:
 * not by more than it takes.
 */
function reach({ shapes, bodies }: Family, a: number, b: number): number {
  const between = Math.hypot(...[0, 1, 2].map((k) => bodies.positions[3 * b + k] - bodies.positions[3 * a + k]));
  const offsets = [a, b]
    .map((body) => shapes[bodies.shapes[body]])
    .map((shape) => (shape.type === 'halfspace' ? Math.abs(shape.offset) : 0));
  return 1.01 * (between + offsets[0] + offsets[1]);
}
