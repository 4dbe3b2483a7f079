/**
 * Jolt: `TransformedShape.CollideShape` between two shapes, and for boxes `OrientedBox.OverlapsOrientedBox`. GJK itself
 * is not in the binding. Shapes have convex radius 0: with one, Jolt finds separations by GJK between shrunk shapes and
 * rounds what it took off, so that corners and edges answer another question (and shallow contacts come without EPA).
 *
 * Objects made beforehand: A's centre-of-mass transform and B as a `TransformedShape` for each body, or for two bodies
 * that are placed from the caller's arrays. A call writes into one collector, which is reset, and reads its hit flag and
 * depth.
 */

import { peerRunner, type Runner } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';
import { arraysLoop, type PlacingLoop } from './arrays.ts';
import { Jolt, joltShape, registerTypes, setPose } from './jolt-shapes.ts';

export const version = 'jolt-physics';

/**
 * Farther than any pair of the workloads is apart, and not by more: Jolt inflates a shape by as much, in single
 * precision.
 */
const FAR = 10;

export function createRunner(call: string, workload: Workload): Runner {
  const [, isArrays, name] = /^jolt:(arrays-)?(.*)$/.exec(call)!;
  const makeLoop = name === 'OverlapsOrientedBox' ? orientedBoxes : (given: Workload) => collideShape(given, name);
  return peerRunner(workload, isArrays ? arraysLoop(workload, makeLoop) : makeLoop(workload));
}

function orientedBoxes({ bodies, pairs, shapes }: Workload): PlacingLoop {
  const boxes: InstanceType<(typeof Jolt)['OrientedBox']>[] = [];
  const position = new Jolt.Vec3();
  const rotation = new Jolt.Quat(0, 0, 0, 1);
  const halfExtents = new Jolt.Vec3();
  const setBody = (slot: number, body: number): void => {
    const shape = shapes[bodies.shapes[body]];
    if (shape.type !== 'box') throw new Error(`no oriented box for a ${shape.type}`);
    halfExtents.Set(shape.halfExtents[0], shape.halfExtents[1], shape.halfExtents[2]);
    setPose(bodies, body, position, rotation);
    boxes[slot].mOrientation = Jolt.Mat44.prototype.sRotationTranslation(rotation, position);
    boxes[slot].mHalfExtents = halfExtents;
  };
  return {
    tellsDistance: false,
    addBody(body) {
      boxes.push(new Jolt.OrientedBox());
      setBody(boxes.length - 1, body);
    },
    setBody,
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) hit[i] = boxes[pairs[2 * i]].OverlapsOrientedBox(boxes[pairs[2 * i + 1]]) ? 1 : 0;
    },
  };
}

function collideShape({ bodies, pairs, shapes: descriptions }: Workload, call: string): PlacingLoop {
  registerTypes();
  const known = descriptions.map(joltShape);
  const shapes: InstanceType<(typeof Jolt)['Shape']>[] = [];
  const poses: InstanceType<(typeof Jolt)['RMat44']>[] = [];
  const transformed: InstanceType<(typeof Jolt)['TransformedShape']>[] = [];
  const position = new Jolt.RVec3();
  const rotation = new Jolt.Quat(0, 0, 0, 1);
  const unscaled = new Jolt.Vec3(1, 1, 1);
  const base = new Jolt.RVec3(0, 0, 0);
  const everything = new Jolt.ShapeFilter();
  const settings = new Jolt.CollideShapeSettings();
  const tellsDistance = call !== 'CollideShape-any';
  if (call === 'CollideShape-far') settings.mMaxSeparationDistance = FAR;
  const any = new Jolt.CollideShapeAnyHitCollisionCollector();
  const closest = new Jolt.CollideShapeClosestHitCollisionCollector();
  const found = closest.mHit;
  const setBody = (slot: number, body: number): void => {
    shapes[slot] = known[bodies.shapes[body]];
    setPose(bodies, body, position, rotation);
    const placed = transformed[slot];
    placed.mShape = shapes[slot];
    placed.SetWorldTransform(position, rotation, unscaled);
    // Functions of the binding give one and the same object at every call.
    const centre = placed.GetCenterOfMassTransform();
    poses[slot].SetRotation(centre.GetRotation());
    poses[slot].SetTranslation(centre.GetTranslation());
  };
  return {
    tellsDistance,
    addBody(body) {
      transformed.push(new Jolt.TransformedShape());
      poses.push(new Jolt.RMat44());
      setBody(transformed.length - 1, body);
    },
    setBody,
    loop(count, { hit, distance }) {
      const collector = tellsDistance ? closest : any;
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        collector.Reset();
        transformed[b].CollideShape(shapes[a], unscaled, poses[a], settings, base, collector, everything);
        const isFound = collector.HadHit();
        if (!tellsDistance) {
          hit[i] = isFound ? 1 : 0;
          continue;
        }
        const depth = isFound ? found.get_mPenetrationDepth() : NaN;
        distance[i] = -depth;
        hit[i] = depth >= 0 ? 1 : 0;
      }
    },
  };
}
