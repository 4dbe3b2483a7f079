/**
 * Jolt's answers: `TransformedShape.CollideShape` for the closest hit, without separation for overlap and depth, and again with
 * one for the gap of those that do not overlap. What is made for a family is released or destroyed after it.
 */

import { readFileSync } from 'node:fs';
import type { Family } from '../../test/families.ts';
import { Jolt, joltShape, registerTypes, setPose } from '../peers/jolt-shapes.ts';
import type { Answers, Peer } from './peer.ts';

/** Farther than any pair is apart, and not by much more: Jolt inflates a shape by as much, in single precision. */
const FAR = 100;
const TOLERANCE = 1e-4;

export function openJolt(): Peer {
  // Must live on, as what it registers does.
  const jolt = registerTypes();
  return {
    name: 'jolt',
    title: 'Jolt',
    version: `jolt-physics ${packageVersion()}`,
    scope: {
      types: ['sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', 'cone', 'halfspace'],
      rounded: ['box'],
      without: ['triangle/triangle', 'triangle/halfspace'],
      hasOffset: true,
    },
    overlapSlack: { absolute: TOLERANCE, relative: 5e-6 },
    distanceSlack: { absolute: 2 * TOLERANCE, relative: 1e-4 },
    notes: [],
    hasDepth: (shape) => shape.type !== 'box' || !shape.radius,
    answer: (family) => (jolt ? answer(family) : answer(family)),
  };
}

function packageVersion(): string {
  return (JSON.parse(readFileSync('node_modules/jolt-physics/package.json', 'utf8')) as { version: string }).version;
}

function answer({ shapes, bodies, pairs }: Family): Answers {
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
    distance[i] = overlaps[i] || collide(FAR) ? -collector.mHit.mPenetrationDepth : NaN;
  }
  const milliseconds = performance.now() - start;
  for (const used of [placedA, placedB, unscaled, base, position, rotation, filter, settings, collector]) Jolt.destroy(used);
  for (const shape of known) shape.Release();
  return { overlaps, distance, milliseconds };
}
