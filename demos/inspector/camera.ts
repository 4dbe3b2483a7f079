/** An orthographic camera on a canvas that the views share: the same direction looks the same in all of them. */

import { cross, dot, unit, type Vec } from './linear.ts';

export interface Orbit {
  /** Radians around the vertical, and above the horizon. */
  yaw: number;
  pitch: number;
}

export interface Projector {
  /** Pixels, and the depth: greater is nearer. */
  project(point: Vec): [number, number, number];
  /** Unit vector towards the viewer. */
  towards: Vec;
  /** Pixels per unit of length. */
  zoom: number;
}

export const FIRST_ORBIT: Orbit = { yaw: 0.62, pitch: 0.42 };
/** Straight down the z axis, for 2-D. */
export const PLANAR_ORBIT: Orbit = { yaw: 0, pitch: 0 };

function axesOfOrbit({ yaw, pitch }: Orbit): { right: Vec; up: Vec; towards: Vec } {
  const towards: Vec = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  const right = unit(cross([0, 1, 0], towards));
  return { right, up: cross(towards, right), towards };
}

/** `centre` is drawn in the middle of a canvas of this size, moved by `pan` in pixels. */
export function makeProjector(
  orbit: Orbit,
  centre: Vec,
  zoom: number,
  [width, height]: readonly [number, number],
  pan: readonly [number, number] = [0, 0],
): Projector {
  const { right, up, towards } = axesOfOrbit(orbit);
  const [cx, cy, cz] = [right, up, towards].map((axis) => dot(axis, centre));
  return {
    project: (p) => [
      width / 2 + pan[0] + zoom * (dot(right, p) - cx),
      height / 2 + pan[1] - zoom * (dot(up, p) - cy),
      dot(towards, p) - cz,
    ],
    towards,
    zoom,
  };
}

/** Centre and radius of a ball around the points. */
export function ballAround(points: readonly Vec[]): { centre: Vec; radius: number } {
  const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])));
  const high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
  const centre = low.map((x, k) => (x + high[k]) / 2) as unknown as Vec;
  const radius = Math.max(...points.map((p) => Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2])));
  return { centre, radius: radius > 0 ? radius : 1 };
}
