/** The view of the model and its clashes. Frames are drawn when something has changed. */

import { AmbientLight, Box3, Group, Vector3 } from 'three/webgpu';
import type { Clash } from '../../cli/clash/clash-report.ts';
import { darkTheme } from '../common/dark-theme.ts';
import type { PageDevice } from '../common/open-device.ts';
import { createView } from '../common/view.ts';
import { createFlight } from './camera-flight.ts';
import type { ViewScene } from './check-messages.ts';
import { createClashMarks, type ClashMarks } from './clash-marks.ts';
import { createModelGeometry, type ModelGeometry } from './model-geometry.ts';
import { createModelView, type ModelView } from './model-view.ts';

/** Pixels within which a click picks a dot, and beyond which it is a drag. */
const PICK_PIXELS = 14;
const DRAG_PIXELS = 4;

export interface Stage {
  /** Replaces the model. undefined: there is none, and `clashes` gives the view's extent. Says how it is drawn. */
  setModel(scene: ViewScene | undefined, up: 'y' | 'z'): { areBoxes: boolean };
  setClashes(clashes: readonly Clash[]): void;
  /** Shows a clash and flies there. Bodies are those of the model. */
  select(index: number, bodies: readonly [number | undefined, number | undefined]): void;
  showAll(): void;
  /** Where the selected point is on the canvas, in CSS pixels, after each frame; undefined if it is not in view. */
  onFrame(callback: (place: { x: number; y: number } | undefined) => void): void;
  onPick(callback: (index: number) => void): void;
  dispose(): void;
}

export async function createStage(canvas: HTMLCanvasElement, gpu: PageDevice | undefined): Promise<Stage> {
  const { renderer, scene, camera, controls, sun } = await createView(canvas, gpu);
  const world = new Group();
  scene.add(world, new AmbientLight(0xffffff, 0.9));
  // The sun comes over the viewer's shoulder, so that no side of the model is dark.
  camera.add(sun);
  sun.position.set(-4, 6, 5);
  sun.intensity = 1.6;
  scene.add(camera);
  const flight = createFlight(camera, controls);
  let geometry: ModelGeometry | undefined;
  let model: ModelView | undefined;
  let marks: ClashMarks | undefined;
  let clashes: readonly Clash[] = [];
  let selected: number | undefined;
  /** The view's origin in world coordinates. */
  let origin = new Vector3();
  /** The box and ball around what is shown, in the upright world. */
  let extent = extentOf(new Box3(), new Group());
  let isDirty = true;
  let isOver = false;
  let frames = 0;
  let tell: Parameters<Stage['onFrame']>[0] | undefined;

  const toWorld = (v: Vector3): Vector3 => v.clone().applyQuaternion(world.quaternion);
  const changed = (): void => void (isDirty = true);
  const repaint = (): void => {
    model?.paint();
    marks?.paint();
    changed();
  };
  controls.addEventListener('change', changed);
  darkTheme.addEventListener('change', repaint);
  const resizes = new ResizeObserver(changed);
  resizes.observe(canvas);

  const placeOfSelected = (): { x: number; y: number } | undefined => {
    if (selected === undefined) return undefined;
    const { x, y, z } = toWorld(marks!.points[selected]).project(camera);
    if (Math.abs(x) > 1 || Math.abs(y) > 1 || z > 1) return undefined;
    return { x: ((x + 1) / 2) * canvas.clientWidth, y: ((1 - y) / 2) * canvas.clientHeight };
  };
  const draw = (now: number): void => {
    if (isOver) return;
    requestAnimationFrame(draw);
    const isFlying = flight.step(now);
    controls.update();
    canvas.dataset.flying = String(isFlying);
    if (!isDirty && !isFlying) return;
    isDirty = false;
    const distance = camera.position.distanceTo(controls.target);
    camera.near = Math.max(distance * 0.02, extent.radius * 1e-5);
    camera.far = distance + 4 * extent.radius + camera.position.distanceTo(extent.centre);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    marks?.fit(world.worldToLocal(camera.position.clone()), camera);
    renderer.render(scene, camera);
    Object.assign(canvas.dataset, {
      frames: ++frames,
      target: JSON.stringify(world.worldToLocal(controls.target.clone()).add(origin)),
      distance,
    });
    tell?.(placeOfSelected());
  };
  requestAnimationFrame(draw);

  const setMarks = (): void => {
    if (marks) {
      world.remove(marks.group);
      marks.dispose();
    }
    origin = geometry?.origin ?? new Vector3().fromArray(clashes[0]?.point ?? [0, 0, 0]);
    marks = createClashMarks(clashes, origin);
    world.add(marks.group);
    selected = undefined;
    if (!geometry) extent = extentOf(new Box3().setFromPoints([...marks.points]), world);
    changed();
  };

  return {
    setModel(shown, up) {
      if (model) {
        world.remove(model.group);
        model.dispose();
        geometry?.whole.dispose();
      }
      world.rotation.x = up === 'z' ? -Math.PI / 2 : 0;
      world.updateMatrixWorld();
      geometry = shown && createModelGeometry(shown);
      model = geometry && createModelView(geometry);
      if (model) world.add(model.group);
      if (geometry) {
        geometry.whole.computeBoundingBox();
        extent = extentOf(geometry.whole.boundingBox!, world);
      }
      clashes = [];
      setMarks();
      flight.toBox(extent.box, true);
      return { areBoxes: geometry?.areBoxes ?? false };
    },
    setClashes(given) {
      clashes = given;
      model?.clear();
      setMarks();
      if (!geometry) flight.toBox(extent.box, true);
    },
    select(index, bodies) {
      selected = index;
      const { normal, distance, size } = clashes[index];
      model?.highlight(bodies);
      marks!.select(index);
      const away = Math.max(22 * Math.abs(distance), 0.3 * extent.radius, 1e-6);
      const most = Math.max(3 * size, 4 * Math.abs(distance));
      flight.toClash(
        toWorld(marks!.points[index]),
        toWorld(new Vector3().fromArray(normal)),
        Math.min(away, most) || away,
      );
      changed();
    },
    showAll() {
      selected = undefined;
      model?.clear();
      marks?.select(undefined);
      flight.toBox(extent.box);
      changed();
    },
    onFrame: (callback) => void (tell = callback),
    onPick(callback) {
      let down = { x: 0, y: 0 };
      canvas.addEventListener('pointerdown', ({ offsetX: x, offsetY: y }) => (down = { x, y }));
      canvas.addEventListener('pointerup', ({ offsetX: x, offsetY: y }) => {
        if (Math.hypot(x - down.x, y - down.y) > DRAG_PIXELS) return;
        const index = nearestDot(x, y);
        if (index !== undefined) callback(index);
      });
    },
    dispose() {
      isOver = true;
      darkTheme.removeEventListener('change', repaint);
      resizes.disconnect();
      controls.dispose();
      renderer.dispose();
    },
  };

  function nearestDot(x: number, y: number): number | undefined {
    let [best, least]: [number | undefined, number] = [undefined, PICK_PIXELS];
    marks?.points.forEach((point, i) => {
      const at = toWorld(point).project(camera);
      const [px, py] = [((at.x + 1) / 2) * canvas.clientWidth, ((1 - at.y) / 2) * canvas.clientHeight];
      const away = at.z > 1 ? Infinity : Math.hypot(px - x, py - y);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  }
}

/** An empty box counts as one of side 1, because the camera needs something to look at. */
function extentOf(given: Box3, { matrixWorld }: Group): { box: Box3; centre: Vector3; radius: number } {
  const box = given.clone();
  if (box.isEmpty()) box.set(new Vector3(), new Vector3());
  const size = box.getSize(new Vector3()).length();
  if (size === 0) box.expandByScalar(0.5);
  box.applyMatrix4(matrixWorld);
  return { box, centre: box.getCenter(new Vector3()), radius: box.getSize(new Vector3()).length() / 2 };
}
