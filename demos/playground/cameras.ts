/** One camera for each dimension, and their controls. */

import { OrthographicCamera, Vector3, type Camera, type PerspectiveCamera } from 'three/webgpu';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** Where the camera stands at first, seen from the middle of both bodies. */
const HOME = new Vector3(0.35, 0.42, 1).normalize();

/** Size of the view at first, as a multiple of the radius around both bodies. */
const ROOM = 1.2;

export interface Cameras {
  current(): Camera;
  setDimension(dimension: 2 | 3): void;
  /** Controls are off while something else is dragged. */
  setEnabled(isEnabled: boolean): void;
  /** World units per pixel at a place. */
  unitsPerPixel(at: Vector3): number;
  /** Shows a ball in the part of the canvas that is not covered. */
  fit(middle: Vector3, radius: number): void;
  /** The canvas has another size. */
  resize(): void;
  onChange(listener: () => void): void;
  dispose(): void;
}

/**
 * `eye` and `orbit` are those of the 3-D view. `covered`: how many pixels at the left of the canvas something else covers.
 */
export function createCameras(
  canvas: HTMLCanvasElement,
  eye: PerspectiveCamera,
  orbit: OrbitControls,
  covered: () => number,
): Cameras {
  const flatEye = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
  const pan = new OrbitControls(flatEye, canvas);
  pan.enableRotate = false;
  pan.enableDamping = orbit.enableDamping = false;
  let isFlat = false;

  /** Moves the centre of the picture to the centre of the uncovered part of the canvas. */
  function resize(): void {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    const half = (flatEye.top - flatEye.bottom) / 2;
    flatEye.left = (-half * width) / height;
    flatEye.right = (half * width) / height;
    for (const camera of [eye, flatEye]) {
      camera.setViewOffset(width, height, -covered() / 2, 0, width, height);
      camera.updateProjectionMatrix();
    }
  }

  return {
    current: () => (isFlat ? flatEye : eye),
    setDimension(dimension) {
      isFlat = dimension === 2;
      this.setEnabled(true);
    },
    setEnabled(isEnabled) {
      orbit.enabled = isEnabled && !isFlat;
      pan.enabled = isEnabled && isFlat;
    },
    unitsPerPixel(at) {
      const height = canvas.clientHeight || 1;
      if (isFlat) return (flatEye.top - flatEye.bottom) / flatEye.zoom / height;
      return (2 * eye.position.distanceTo(at) * Math.tan((eye.fov * Math.PI) / 360)) / height;
    },
    fit(middle, radius) {
      const height = canvas.clientHeight || 1;
      const free = Math.min(canvas.clientWidth - covered(), height) / height;
      const half = (ROOM * radius) / Math.max(free, 0.2);
      flatEye.top = half;
      flatEye.bottom = -half;
      flatEye.zoom = 1;
      flatEye.position.set(middle.x, middle.y, 10);
      pan.target.set(middle.x, middle.y, 0);
      const distance = half / Math.sin((eye.fov * Math.PI) / 360);
      eye.near = distance / 100;
      eye.far = 100 * distance;
      eye.position.copy(middle).addScaledVector(HOME, distance);
      orbit.target.copy(middle);
      resize();
      orbit.update();
      pan.update();
    },
    resize,
    onChange(listener) {
      for (const controls of [orbit, pan]) controls.addEventListener('change', listener);
    },
    dispose() {
      for (const controls of [orbit, pan]) controls.dispose();
    },
  };
}
