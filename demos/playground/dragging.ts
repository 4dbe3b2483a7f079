/**
 * Dragging of bodies and of the tips of velocities in the plane of the view, with Shift along the line of sight. Drags
 * that begin beside a body are left to the camera's controls.
 */

import { Plane, Raycaster, Vector2, Vector3, type Camera, type Object3D } from 'three/webgpu';

export interface Grip {
  kind: 'body' | 'velocity';
  body: number;
}

export interface DragTarget extends Grip {
  object: Object3D;
}

export interface Dragging {
  camera(): Camera;
  /** What can be dragged now. The first one hit is taken. */
  targets(): readonly DragTarget[];
  /** Where the grip is: a body's position, a velocity's tip. */
  placeOf(grip: Grip): Vector3;
  /** World units per pixel at a place. */
  unitsPerPixel(at: Vector3): number;
  /** Whether another handle has the pointer. */
  isTaken(event: PointerEvent): boolean;
  /** Whether bodies may leave the plane of the view. */
  hasDepth(): boolean;
  grab(grip: Grip): void;
  move(grip: Grip, to: Vector3): void;
}

/** Listens on the element around the canvas, before the controls of the camera, which are on the canvas itself. */
export function enableDragging(canvas: HTMLCanvasElement, signal: AbortSignal, of: Dragging): void {
  const stage = canvas.parentElement!;
  const raycaster = new Raycaster();
  let held: { grip: Grip; id: number; plane: Plane; offset: Vector3; start: Vector2; at: Vector3 } | undefined;

  const early = { capture: true, signal };
  stage.addEventListener('pointerdown', begin, early);
  stage.addEventListener('pointermove', go, early);
  for (const type of ['pointerup', 'pointercancel'] as const) stage.addEventListener(type, end, early);

  function begin(event: PointerEvent): void {
    if (event.target !== canvas || event.button !== 0 || held || of.isTaken(event)) return;
    aim(event);
    const targets = of.targets();
    for (const kind of ['velocity', 'body'] as const) {
      const hits = targets
        .filter((target) => target.kind === kind)
        .flatMap((target) => raycaster.intersectObject(target.object, false).map((hit) => ({ ...hit, target })))
        .sort((p, q) => p.distance - q.distance);
      if (hits.length === 0) continue;
      const { target, point } = hits[0];
      const grip = { kind: target.kind, body: target.body };
      const normal = of.camera().getWorldDirection(new Vector3());
      const at = of.placeOf(grip);
      // The tip is in the middle of its ball.
      const through = kind === 'velocity' ? at : point;
      held = {
        grip,
        id: event.pointerId,
        plane: new Plane().setFromNormalAndCoplanarPoint(normal, through),
        offset: at.clone().sub(through),
        start: new Vector2(event.clientX, event.clientY),
        at,
      };
      canvas.setPointerCapture(event.pointerId);
      of.grab(grip);
      event.stopPropagation();
      return;
    }
  }

  function go(event: PointerEvent): void {
    if (!held || event.pointerId !== held.id) return;
    event.stopPropagation();
    if (event.shiftKey && of.hasDepth()) {
      const depth = (held.start.y - event.clientY) * of.unitsPerPixel(held.at);
      of.move(held.grip, held.at.clone().addScaledVector(of.camera().getWorldDirection(new Vector3()), depth));
      return;
    }
    aim(event);
    const point = raycaster.ray.intersectPlane(held.plane, new Vector3());
    if (point) of.move(held.grip, point.add(held.offset));
  }

  function end(event: PointerEvent): void {
    if (event.pointerId === held?.id) held = undefined;
  }

  function aim({ clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    raycaster.setFromCamera(
      new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height),
      of.camera(),
    );
  }
}
