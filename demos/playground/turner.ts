/** The rings that turn the chosen body. */

import type { Camera, Object3D } from 'three/webgpu';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

/** Pixels around a body's origin where a drag moves it although a ring may pass there. */
const INSIDE_RINGS = 45;

export interface Turner {
  /** To be drawn with the scene. */
  helper: Object3D;
  attach(body: Object3D): void;
  /** In 2-D there is one ring, around the axis that points at the viewer. */
  setCamera(camera: Camera, isFlat: boolean): void;
  /** Whether the rings have the pointer. */
  isAt(event: PointerEvent): boolean;
  dispose(): void;
}

export interface TurnerEvents {
  /** The attached body has turned. */
  turn(body: Object3D): void;
  /** What is drawn has changed. */
  change(): void;
  drag(isDragging: boolean): void;
}

export function createTurner(camera: Camera, canvas: HTMLCanvasElement, events: TurnerEvents): Turner {
  const controls = new TransformControls(camera, canvas);
  controls.setMode('rotate');
  controls.setSize(0.75);
  // Inside the rings a drag moves the body.
  controls.showE = controls.showXYZE = false;
  controls.setColors(0xd9534f, 0x5aa469, 0x4a7fc1, 0xf2c94c);
  controls.addEventListener('change', events.change);
  controls.addEventListener('dragging-changed', ({ value }) => events.drag(value as boolean));
  controls.addEventListener('objectChange', () => events.turn(controls.object!));

  return {
    helper: controls.getHelper(),
    attach: (body) => void controls.attach(body),
    setCamera(given, isFlat) {
      controls.camera = given;
      controls.showX = controls.showY = !isFlat;
    },
    isAt(event) {
      // On touch screens the controls have not seen the pointer before.
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const x = (2 * (event.clientX - left)) / width - 1;
      const y = 1 - (2 * (event.clientY - top)) / height;
      controls.pointerHover({ x, y, button: event.button } as unknown as PointerEvent);
      const middle = controls.object!.position.clone().project(controls.camera);
      const pixels = Math.hypot(((x - middle.x) * width) / 2, ((y - middle.y) * height) / 2);
      return controls.axis !== null && pixels > INSIDE_RINGS;
    },
    dispose: () => controls.dispose(),
  };
}
