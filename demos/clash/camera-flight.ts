/** Moves the camera to a clash or to the whole model, and keeps its planes around what is in view. */

import { Vector3, type Box3, type PerspectiveCamera } from 'three/webgpu';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { frame, type Ball } from '../common/framing.ts';

const FLIGHT_MS = 700;
/** From the target to the camera at the start: from the front, right and above. */
const OVERVIEW = new Vector3(0.62, 0.5, 0.78).normalize();
/** Preferred height of the camera over the target, as a share of the distance. */
const ABOVE = 0.45;

export interface Flight {
  /** Flies to a view of a point from `away`, across the normal, so that the depth is seen from its side. */
  toClash(point: Vector3, normal: Vector3, away: number): void;
  /** Shows a box in full. */
  toBox(box: Box3, isAtOnce?: boolean): void;
  /** Takes the next step at this time. Whether the camera is flying. */
  step(now: number): boolean;
}

export function createFlight(camera: PerspectiveCamera, controls: OrbitControls): Flight {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  let flight: { start: number; from: [Vector3, Vector3]; to: [Vector3, Vector3] } | undefined;

  const fly = (target: Vector3, position: Vector3, isAtOnce = false): void => {
    flight = undefined;
    if (isAtOnce || isCalm.matches) {
      controls.target.copy(target);
      camera.position.copy(position);
      return;
    }
    flight = {
      start: performance.now(),
      from: [controls.target.clone(), camera.position.clone()],
      to: [target, position],
    };
  };
  controls.addEventListener('start', () => (flight = undefined));

  return {
    toClash(point, normal, away) {
      const from = camera.position.clone().sub(controls.target).normalize();
      from.y = Math.max(from.y, ABOVE);
      from.addScaledVector(normal, -from.dot(normal));
      if (from.length() < 0.2)
        from.set(OVERVIEW.x, OVERVIEW.y, OVERVIEW.z).addScaledVector(normal, -OVERVIEW.dot(normal));
      fly(point.clone(), point.clone().addScaledVector(from.normalize(), away));
    },
    toBox(box, isAtOnce) {
      const view = frame(cornersOf(box), OVERVIEW, Math.tan((camera.fov * Math.PI) / 360), camera.aspect);
      fly(view.target, view.position, isAtOnce);
    },
    step(now) {
      if (!flight) return false;
      const share = Math.min(1, Math.max(0, (now - flight.start) / FLIGHT_MS));
      const eased = share * share * (3 - 2 * share);
      controls.target.lerpVectors(flight.from[0], flight.to[0], eased);
      camera.position.lerpVectors(flight.from[1], flight.to[1], eased);
      if (share === 1) flight = undefined;
      return true;
    },
  };
}

/** The corners of a box as balls of radius 0. */
function cornersOf({ min, max }: Box3): Ball[] {
  return Array.from({ length: 8 }, (_, i) => {
    const pick = (bit: number, axis: 'x' | 'y' | 'z'): number => ((i >> bit) & 1 ? max : min)[axis];
    return [new Vector3(pick(0, 'x'), pick(1, 'y'), pick(2, 'z')), 0];
  });
}
