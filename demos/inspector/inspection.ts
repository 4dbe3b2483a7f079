/** A capture with the reference's steps, and where everything is in space at each of them. */

import { decidingParts, traceCapture, type Capture } from 'narrowphase/cpu';
import { ballAround } from './camera.ts';
import {
  add,
  axesOf,
  dot,
  length,
  placed,
  scaled,
  spun,
  subtract,
  turned,
  unit,
  vec,
  ZERO,
  type Frame,
  type Vec,
} from './linear.ts';
import { isHalfspace, shapeSolid, type ShapeSolid, type Square } from './shape-solids.ts';
import type { Step } from './step.ts';
import { timesOf } from './step-times.ts';

export interface Inspection {
  /** What was loaded. */
  given: Capture;
  /** The bodies of the pair; where they have parts, the two parts that decide. */
  capture: Capture;
  parts: [number, number];
  isPlanar: boolean;
  steps: Step[];
  /** Seconds of each step; 0 without motion. */
  times: number[];
  /** In the frame of each body. */
  solids: [ShapeSolid, ShapeSolid];
  /** At time 0, relative to A's position. */
  frames: [Frame, Frame];
  velocities: [Vec, Vec];
  angularVelocities: [Vec, Vec];
  /** A's position in the world. */
  origin: Vec;
}

/** Throws for what the reference refuses. */
export function inspectionOf(given: Capture): Inspection {
  const isPlanar = given.dimension === 2;
  const { capture, parts }: Pick<Inspection, 'capture' | 'parts'> = isPlanar
    ? { capture: given, parts: [0, 0] }
    : decidingParts(given);
  const steps = traceCapture(capture);
  const world = capture.poses.map((pose) => frameOf(pose));
  const origin = world[0].position;
  const frames = world.map((frame) => ({ ...frame, position: subtract(frame.position, origin) })) as [Frame, Frame];
  const linear = velocitiesOf(capture, 'linearVelocity');
  const square = squareBeside(capture, frames);
  const speed = length(subtract(linear[1], linear[0]));
  return {
    given,
    capture,
    parts,
    isPlanar,
    steps,
    times: timesOf(
      steps,
      speed,
      speed > 0 ? length(subtract(firstOffset(steps) ?? frames[1].position, frames[1].position)) / speed : 0,
    ),
    solids: capture.shapes.map((shape) => shapeSolid(shape, isPlanar, square)) as [ShapeSolid, ShapeSolid],
    frames,
    velocities: linear,
    angularVelocities: velocitiesOf(capture, 'angularVelocity'),
    origin,
  };
}

/** Both bodies at a time, relative to A's position at time 0. */
export function framesAt({ frames, velocities, angularVelocities }: Inspection, time: number): [Frame, Frame] {
  if (time === 0) return frames;
  return frames.map(({ axes, position, scale }, i) => ({
    axes: spun(axes, scaled(angularVelocities[i], time)),
    position: add(position, scaled(velocities[i], time)),
    scale,
  })) as [Frame, Frame];
}

/** Maps a point of a step from A's frame to the scene. */
export function inScene([a]: readonly [Frame, Frame], point: Vec): Vec {
  return add(a.position, turned(a, point));
}

/** The direction of B's motion relative to A, as a unit vector in world axes. */
export function wayOf({ velocities }: Inspection): Vec {
  return unit(subtract(velocities[1], velocities[0]));
}

function frameOf(pose: Capture['poses'][number]): Frame {
  if ('matrix' in pose) {
    const { matrix } = pose;
    const columns = [0, 4, 8].map((at) => vec(matrix, at));
    const scale = length(columns[0]);
    return { axes: columns.map(unit) as unknown as Frame['axes'], position: vec(matrix, 12), scale };
  }
  const { scale = 1 } = pose;
  const axes =
    'angle' in pose ? axesOf([0, 0, Math.sin(pose.angle / 2), Math.cos(pose.angle / 2)]) : axesOf(pose.quaternion);
  return { axes, position: vec(pose.position), scale };
}

/** Where B is from A in the first step of a trace in 2-D, in world axes: searches may start where bounding circles meet. */
function firstOffset([step]: readonly Step[]): Vec | undefined {
  if (step.type !== 'pair' || step.rotation.length !== 2) return undefined;
  const [x, y] = step.translation;
  const [cosine, sine] = step.rotationA;
  return [cosine * x - sine * y, sine * x + cosine * y, 0];
}

function velocitiesOf({ poses }: Capture, name: 'linearVelocity' | 'angularVelocity'): [Vec, Vec] {
  return poses.map((pose): Vec => {
    const given = pose[name];
    if (given === undefined) return ZERO;
    return typeof given === 'number' ? [0, 0, given] : vec(given);
  }) as [Vec, Vec];
}

/** A half-space is drawn as a square beside the other body. */
function squareBeside({ shapes, dimension }: Capture, frames: readonly Frame[]): Square {
  const plane = shapes.findIndex(isHalfspace);
  if (plane < 0) return { around: ZERO, size: 1 };
  const { surface } = shapeSolid(shapes[1 - plane], dimension === 2, { around: ZERO, size: 1 });
  const { centre, radius } = ballAround(surface.vertices.map((vertex) => placed(frames[1 - plane], vertex)));
  const { axes, position, scale } = frames[plane];
  const away = subtract(centre, position);
  return { around: axes.map((axis) => dot(axis, away) / scale) as unknown as Vec, size: (1.3 * radius) / scale };
}
