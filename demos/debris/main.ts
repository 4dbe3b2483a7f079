/** The page: bodies fall, balls fly, and nothing leaves the GPU but a few figures. */

import { Vector3 } from 'three/webgpu';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { showLostDevice } from '../common/lost-device.ts';
import { openDevice, whenLost } from '../common/open-device.ts';
import { createView } from '../common/view.ts';
import { BODY_STYLES } from './body-meshes.ts';
import type { BodyStyle } from './body-meshes.ts';
import { enableControls } from './controls.ts';
import { createDrawingClock } from './drawing-clock.ts';
import { createFigures, figure } from './figures.ts';
import { aheadChoice } from './look-ahead.ts';
import { createPlayer } from './player.ts';
import { enablePointer, throwAt } from './pointer.ts';
import type { Run } from './run.ts';
import { SCENES } from './scenes.ts';
import type { SceneName } from './scenes.ts';
import * as size from './size.ts';
import { createStage } from './stage.ts';
import { exposeForTests } from './test-interface.ts';

let isLost = false;

const tell = (text: string): void => {
  byId('progress').textContent = text;
};

async function main(): Promise<void> {
  enableAbout();
  const parameters = new URLSearchParams(location.search);
  const choice = backendChoice(parameters);
  const ahead = aheadChoice(parameters);
  const wanted = size.bodiesOf(parameters);
  const scene = (parameters.get('scene') ?? 'wall') as SceneName;
  if (!SCENES.includes(scene)) throw new Error(`?scene=${scene} is unknown, expected ${SCENES.join(', ')}`);
  const style = (parameters.get('view') ?? 'solid') as BodyStyle;
  if (!BODY_STYLES.includes(style)) throw new Error(`?view=${style} is unknown, expected ${BODY_STYLES.join(', ')}`);
  const opened = await openDevice(choice);
  const gpu = 'device' in opened ? opened : undefined;
  if ('reason' in opened) {
    const computed = figure(wanted ?? size.CPU_BODIES);
    showNotice('warning', 'This runs on the CPU', `${opened.reason}. The CPU computes ${computed} bodies instead`);
  } else if (opened.isSoftware) {
    const title = wanted === undefined ? 'Fewer bodies' : 'Slow steps';
    showNotice('warning', title, `The adapter (${opened.name}) computes in software`);
  }
  const device = gpu?.device;
  const canvas = byId<HTMLCanvasElement>('view');
  // On SwiftShader both timestamps of a render pass are nearly equal.
  const trackTimestamp = gpu !== undefined && !gpu.isSoftware && gpu.device.features.has('timestamp-query');
  const view = await createView(canvas, gpu, { trackTimestamp });
  const drawing = createDrawingClock(view, trackTimestamp);

  const chosen = wanted ?? (await size.chooseBodies(gpu, tell));
  const most = device ? size.mostBodies(device) : Infinity;
  if (chosen > most) showNotice('warning', 'Fewer bodies', `The adapter's buffers hold ${figure(most)} bodies`);
  const count = Math.min(chosen, most);

  const player = createPlayer(view, createStage(view), {
    device,
    ahead,
    isPaused: parameters.has('paused'),
    style,
    draw: drawing.draw,
    showFigures: createFigures(device ? 'webgpu' : 'cpu', drawing),
    tell,
    onError: fail,
  });
  const pause = (): void => {
    player.pause();
    controls.showPaused(player.isPaused);
  };
  const controls = enableControls({ scene, count, style }, most, {
    pause,
    reset: () => void player.reset().catch(fail),
    step() {
      if (!player.isPaused) pause();
      void player.step(1).catch(fail);
    },
    throwBall() {
      if (player.isReady) throwAt(view, new Vector3(...player.run.scene.aim), player.launch);
    },
    change(name, amount) {
      size.rememberBodies(amount);
      void player.load(name, amount).catch(fail);
    },
    setStyle: player.setStyle,
  });
  controls.showPaused(player.isPaused);
  if (gpu)
    whenLost(gpu, (reason) => {
      isLost = true;
      document.documentElement.dataset.state = 'failed';
      player.stop();
      tell('');
      showLostDevice(reason, 'Go on with this scene', () => ({
        backend: choice,
        scene: controls.scene(),
        bodies: controls.count(),
        view: controls.style(),
      }));
    });
  await player.load(scene, count);
  enablePointer(view, canvas, {
    isReady: () => player.isReady,
    poses: () => player.run.simulation.readPoses(),
    radii: () => radiiOf(player.run),
    launch: player.launch,
    drag: player.drag,
  });
  exposeForTests(player, view);
  document.documentElement.dataset.state = 'done';
  player.start();
}

/** A ball around each body that can be dragged. */
function radiiOf({ scene, simulation }: Run): Float32Array {
  const { masses } = simulation.arrays;
  return Float32Array.from(scene.bodies, (_, i) => Math.cbrt(masses[8 * i]) * 0.7);
}

function fail(error: unknown): void {
  if (isLost) return; // Everything on the device fails then, and the notice says why.
  document.documentElement.dataset.state = 'failed';
  tell('');
  showNotice('error', 'It does not work here', error instanceof Error ? error.message : String(error));
}

main().catch(fail);
