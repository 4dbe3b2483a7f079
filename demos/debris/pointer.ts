/** Throwing and dragging: a short click throws a ball, a press on a body drags it, anything else turns the view. */

import { Plane, Raycaster, Vector2, Vector3 } from 'three/webgpu';
import type { Ray } from 'three/webgpu';
import type { View } from '../common/view.ts';
import { BODY_FLOATS, GRAVITY } from './constants.ts';
import type { Vector } from './simulation.ts';

export interface PointerActions {
  /** Whether bodies can be dragged now. */
  isReady(): boolean;
  /** The latest poses that the page has, 8 floats per body. */
  poses(): Promise<Float32Array>;
  /** Radius of a ball around each body; 0 for one that cannot be dragged. */
  radii(): Float32Array;
  launch(position: Vector, velocity: Vector): void;
  drag(body: number, goal: Vector): void;
}

const CLICK_MS = 350;
const CLICK_PIXELS = 6;
const THROW_SPEED = 22;

/** Throws a ball from the camera, so that it flies through a point. */
export function throwAt({ camera }: View, point: Vector3, launch: PointerActions['launch']): void {
  const direction = point.clone().sub(camera.position).normalize();
  const from = camera.position.clone().addScaledVector(direction, 1.5);
  const velocity = direction.multiplyScalar(THROW_SPEED);
  // Upwards, by what it loses in half of the time.
  velocity.y += (GRAVITY / 2) * (from.distanceTo(point) / THROW_SPEED);
  launch([from.x, Math.max(from.y, 0.8), from.z], velocity.toArray());
}

export function enablePointer(view: View, canvas: HTMLCanvasElement, actions: PointerActions): void {
  const { camera, controls } = view;
  let press: { x: number; y: number; time: number; id: number } | undefined;
  let dragged = -1;
  let plane = new Plane();

  const place = (event: PointerEvent): [number, number] => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
  };
  const goal = (event: PointerEvent): Vector | undefined => {
    const point = rayThrough(camera, ...place(event)).intersectPlane(plane, new Vector3());
    return point ? [point.x, Math.max(point.y, 0.1), point.z] : undefined;
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary || !actions.isReady()) return;
    const started = { x: event.clientX, y: event.clientY, time: performance.now(), id: event.pointerId };
    press = started;
    const ray = rayThrough(camera, ...place(event));
    const begin = (poses: Float32Array): void => {
      if (press !== started || !actions.isReady()) return;
      const hit = pick(ray, poses, actions.radii());
      if (hit.body < 0) return;
      dragged = hit.body;
      controls.enabled = false;
      canvas.classList.add('dragging');
      canvas.setPointerCapture(started.id);
      plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), hit.centre);
    };
    // A run that is replaced meanwhile has no poses, and the player reports all other errors.
    actions.poses().then(begin, () => {});
  });
  canvas.addEventListener('pointermove', (event) => {
    if (dragged < 0 || !press || performance.now() - press.time < CLICK_MS / 3) return;
    const to = goal(event);
    if (to) actions.drag(dragged, to);
  });
  const end = (event: PointerEvent): void => {
    if (!press) return;
    const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    const isClick = event.type === 'pointerup' && moved < CLICK_PIXELS && performance.now() - press.time < CLICK_MS;
    const isOnBody = dragged >= 0;
    if (isOnBody) actions.drag(-1, [0, 0, 0]);
    dragged = -1;
    press = undefined;
    controls.enabled = true;
    canvas.classList.remove('dragging');
    if (!isClick) return;
    const ray = rayThrough(camera, ...place(event));
    const point = isOnBody ? ray.intersectPlane(plane, new Vector3()) : null;
    throwAt(view, point ?? ray.at(ray.origin.distanceTo(controls.target), new Vector3()), actions.launch);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

/** The ray from the camera through a point of the canvas, from -1 to 1. */
function rayThrough(camera: View['camera'], x: number, y: number): Ray {
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2(x, y), camera);
  return raycaster.ray;
}

/** The first body whose ball the ray meets. */
function pick({ origin, direction }: Ray, poses: Float32Array, radii: Float32Array): { body: number; centre: Vector3 } {
  const best = { body: -1, centre: new Vector3(), along: Infinity };
  for (const [body, radius] of radii.entries()) {
    const centre = new Vector3().fromArray(poses, BODY_FLOATS * body);
    const along = centre.clone().sub(origin).dot(direction);
    const off = centre.clone().sub(origin).addScaledVector(direction, -along).length();
    if (along > 0 && along < best.along && off < radius) Object.assign(best, { body, centre, along });
  }
  return best;
}
