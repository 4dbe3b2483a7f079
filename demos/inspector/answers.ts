/** The same pair answered by others: the package's kernels, the capture itself, and the oracle. */

import { createTester, type PlanarConvexDescription } from 'narrowphase';
import { captureInput, type Capture, type PlanarCapture, type SpaceCapture } from 'narrowphase/cpu';
import { addShapes } from '../../verification/engines/add-shapes.ts';
import { fromCaptureNumber } from '../../src/capture/numbers.ts';
import { oracleShape, signedDistance } from '../../verification/oracle/index.ts';
import { firstWithin, movingPair, type MovingBody } from '../../verification/oracle/motion.ts';
import { oraclePlanarShape, planarSignedDistance } from '../../verification/oracle/planar.ts';
import { openDevice } from '../common/open-device.ts';
import type { BackendChoice } from '../common/choose-backend.ts';
import type { Inspection } from './inspection.ts';

/** Fields of one answer: those of the query's item. */
export type Answer = Record<string, unknown>;

/** The kernels' answer in f32, or why there is none. */
export async function gpuAnswer(
  capture: Capture,
  choice: BackendChoice,
): Promise<{ answer: Answer; name: string } | { reason: string }> {
  try {
    const opened = await openDevice(choice);
    if ('reason' in opened) return opened;
    const { device, name } = opened;
    const tester = await createTester({ backend: 'webgpu', device, dimension: capture.dimension } as { dimension: 3 });
    try {
      const space = capture as SpaceCapture;
      const [a, b] = addShapes(tester, space.shapes);
      const { bodies, pairs, options } = captureInput(space, [a, b]);
      const { result } = await tester.capture(bodies, pairs, 0, { query: space.query, ...options });
      return { answer: [result].flat()[0] as unknown as Answer, name };
    } finally {
      tester.dispose();
      device.destroy();
    }
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

/** The truth by brute force: a signed distance, or a time of impact. */
export function oracleAnswer(inspection: Inspection): { distance: number } | { time: number } | undefined {
  const { capture, frames } = inspection;
  if (capture.dimension === 2) return capture.query === 'impacts' ? undefined : planarByOracle(inspection);
  if (capture.query === 'impacts') return impactByOracle(inspection);
  const [a, b] = capture.shapes.map((shape) => oracleShape(shape));
  const [poseA, poseB] = frames.map(({ position, axes, scale }) => ({
    position: [...position],
    quaternion: quaternionOf(axes),
    scale,
  }));
  return { distance: signedDistance(a, poseA, b, poseB).distance };
}

function planarByOracle({ capture, frames }: Inspection): { distance: number } {
  const [a, b] = (capture as PlanarCapture).shapes.map((shape) => oraclePlanarShape(shape as PlanarConvexDescription));
  const [poseA, poseB] = frames.map(({ position, axes: [x], scale }) => ({
    position: [...position],
    angle: Math.atan2(x[1], x[0]),
    scale,
  }));
  return { distance: planarSignedDistance(a, poseA, b, poseB).distance };
}

/** Tolerance of the search for a time, as a share of the size. */
const TIME_TOLERANCE = 1e-9;

function impactByOracle({ capture, frames, velocities, angularVelocities }: Inspection): { time: number } {
  const [a, b] = (capture as SpaceCapture).shapes.map((shape, i): MovingBody => ({
    shape,
    pose: {
      position: [...frames[i].position],
      quaternion: quaternionOf(frames[i].axes),
      scale: frames[i].scale,
      linearVelocity: [...velocities[i]],
      angularVelocity: [...angularVelocities[i]],
    },
  }));
  const pair = movingPair(a, b);
  const { duration = 0, margin = 0 } = capture.options;
  const reach = fromCaptureNumber(margin);
  const time = firstWithin(pair, reach, fromCaptureNumber(duration), TIME_TOLERANCE * pair.size);
  return { time: time ?? Infinity };
}

/** The rotation of columns as a quaternion. */
function quaternionOf([x, y, z]: Inspection['frames'][0]['axes']): number[] {
  const trace = x[0] + y[1] + z[2];
  const q = [
    Math.sqrt(Math.max(0, 1 + x[0] - y[1] - z[2])) / 2,
    Math.sqrt(Math.max(0, 1 - x[0] + y[1] - z[2])) / 2,
    Math.sqrt(Math.max(0, 1 - x[0] - y[1] + z[2])) / 2,
    Math.sqrt(Math.max(0, 1 + trace)) / 2,
  ];
  // The greatest of the four decides the signs: differences of small numbers do not.
  const most = q.indexOf(Math.max(...q));
  const sums = [
    [1, x[1] + y[0], z[0] + x[2], y[2] - z[1]],
    [x[1] + y[0], 1, y[2] + z[1], z[0] - x[2]],
    [z[0] + x[2], y[2] + z[1], 1, x[1] - y[0]],
    [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1],
  ];
  return q.map((_, k) => (k === most ? q[k] : sums[most][k] / (4 * q[most])));
}
