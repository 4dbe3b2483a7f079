/**
 * The canvas: renderer, camera, lights, controls. A frame is drawn only after a change, so that machines with software
 * rendering stay usable.
 */

import { Box3, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Sphere, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { boxAround, frame } from '../common/framing.ts';
import type { Ball } from '../common/framing.ts';
import type { Palette } from './palette.ts';
import { frameDone } from './renderer.ts';
import type { FittedRenderer } from './renderer.ts';

/** Milliseconds of a camera flight. */
const FLIGHT_MS = 450;
const FIELD_OF_VIEW = 32;
/** Direction from the target to the camera at first. */
const FIRST_LOOK = new Vector3(0.62, 0.58, 1).normalize();

export interface Stage {
  scene: Scene;
  camera: PerspectiveCamera;
  /** Draws a frame soon. Several requests are combined into one frame. */
  requestFrame(): void;
  /** Called before each frame with the camera's distance from its target. */
  onFrame(callback: (distance: number) => void): void;
  /** Shows the whole content, from the initial direction. */
  frameAll(): void;
  /** Moves a point to the middle of the view, at most `distance` away, without changing the direction of view. */
  flyTo(point: Vector3, distance: number): void;
  /** Moves the camera back to its position before the first `flyTo` since the last return. */
  flyBack(): void;
  /** Pixels that something covers at the right edge. The view is centred in the rest. */
  setCovered(pixels: number): void;
  setPalette(palette: Palette): void;
  /** Redraws shadows after bodies moved or vanished. */
  updateShadows(): void;
  /** Resolves when the next frame has been drawn. */
  settled(): Promise<void>;
}

/** `content` is the set of balls that the first view has to contain. */
export function createStage({ renderer, isSoftware }: FittedRenderer, content: readonly Ball[]): Stage {
  const canvas = renderer.domElement;
  const scene = new Scene();
  const sphere = boxAround(content, new Box3()).getBoundingSphere(new Sphere());
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, sphere.radius / 200, sphere.radius * 12);
  const controls = new OrbitControls(camera, canvas);
  const isMotionWelcome = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  // With damping, a turn continues for about thirty frames after the hand stops.
  controls.enableDamping = isMotionWelcome && !isSoftware;
  controls.dampingFactor = 0.12;
  controls.minDistance = sphere.radius / 40;
  controls.maxDistance = sphere.radius * 6;
  // Seen from below, the floor would hide everything.
  controls.maxPolarAngle = Math.PI * 0.495;
  controls.listenToKeyEvents(canvas);

  const sky = new HemisphereLight();
  const sun = new DirectionalLight('#fff6e8');
  addSun(scene, sun, sphere);
  scene.add(sky);

  const callbacks: ((distance: number) => void)[] = [];
  let covered = 0;
  let flight: ((now: number) => boolean) | undefined;
  let requested = 0;

  const draw = (now: number): void => {
    requested = 0;
    if (flight && !flight(now)) flight = undefined;
    // While a turn continues, `update` emits `change`, which requests the next frame.
    controls.update();
    for (const callback of callbacks) callback(camera.position.distanceTo(controls.target));
    renderer.render(scene, camera);
    canvas.dataset.viewProjection = JSON.stringify(viewProjection(camera));
    canvas.dataset.camera = JSON.stringify(camera.position.toArray());
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    canvas.dataset.flying = String(flight !== undefined);
    if (flight) requestFrame();
  };
  const requestFrame = (): void => {
    requested ||= requestAnimationFrame(draw);
  };
  controls.addEventListener('change', requestFrame);
  controls.addEventListener('start', () => (flight = undefined));

  const applyCovered = (pixels: number): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    camera.setViewOffset(width, height, pixels / 2, 0, width, height);
  };
  const fitCanvas = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    applyCovered(covered);
  };
  new ResizeObserver(() => {
    const size = renderer.getSize(new Vector2());
    if (canvas.clientWidth === 0 || (size.x === canvas.clientWidth && size.y === canvas.clientHeight)) return;
    fitCanvas();
    // Drawn at once, since a canvas is empty after its size changed.
    cancelAnimationFrame(requested);
    draw(performance.now());
  }).observe(canvas);

  /** Moves the camera to `position`, looking at `target`. If the user prefers reduced motion, it jumps. */
  const fly = (target: Vector3, position: Vector3, coveredThen: number): void => {
    const from = { target: controls.target.clone(), position: camera.position.clone(), covered };
    const start = performance.now();
    covered = coveredThen;
    flight = (now) => {
      const time = isMotionWelcome ? Math.min(1, Math.max(0, now - start) / FLIGHT_MS) : 1;
      const share = 1 - (1 - time) ** 3;
      controls.target.lerpVectors(from.target, target, share);
      camera.position.lerpVectors(from.position, position, share);
      applyCovered(from.covered + (coveredThen - from.covered) * share);
      return time < 1;
    };
    canvas.dataset.flying = 'true';
    requestFrame();
  };

  let left: { target: Vector3; position: Vector3 } | undefined;

  return {
    scene,
    camera,
    requestFrame,
    onFrame: (callback) => callbacks.push(callback),
    frameAll() {
      const isFirst = canvas.dataset.frames === undefined;
      if (isFirst) fitCanvas();
      const { target, position } = frame(content, FIRST_LOOK, Math.tan((FIELD_OF_VIEW * Math.PI) / 360), camera.aspect);
      left = undefined;
      // The first view appears without a flight; a return to it is a flight.
      if (!isFirst) return fly(target, position, covered);
      controls.target.copy(target);
      camera.position.copy(position);
    },
    flyTo(point, distance) {
      left ??= { target: controls.target.clone(), position: camera.position.clone() };
      const direction = camera.position.clone().sub(controls.target);
      direction.setLength(Math.min(distance, direction.length()));
      fly(point.clone(), point.clone().add(direction), covered);
    },
    flyBack() {
      if (left) fly(left.target, left.position, covered);
      left = undefined;
    },
    setCovered(pixels) {
      fly(controls.target.clone(), camera.position.clone(), pixels);
    },
    setPalette(palette) {
      sky.color.set(palette.sky);
      sky.groundColor.set(palette.ground);
      sky.intensity = palette.skyIntensity;
      sun.intensity = palette.sunIntensity;
      requestFrame();
    },
    updateShadows() {
      renderer.shadowMap.needsUpdate = true;
      requestFrame();
    },
    settled: () => frameDone(renderer),
  };
}

/** A directional light whose shadows cover the sphere. */
function addSun(scene: Scene, sun: DirectionalLight, { center, radius }: Sphere): void {
  sun.position.copy(center).add(new Vector3(-0.55, 1.25, 0.6).setLength(2 * radius));
  sun.target.position.copy(center);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.bias = -0.0004;
  sun.shadow.normalBias = 0.02;
  sun.shadow.intensity = 0.9;
  Object.assign(sun.shadow.camera, {
    left: -radius,
    right: radius,
    top: radius,
    bottom: -radius,
    near: radius / 2,
    far: 3.5 * radius,
  });
  scene.add(sun, sun.target);
}

/** Column-major matrix from world to clip space, for programs that need an object's position on the screen. */
function viewProjection(camera: PerspectiveCamera): number[] {
  return camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).toArray();
}
