/** The page: bodies fall, balls fly, and nothing leaves the GPU but a few figures. */

import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { showLostDevice } from '../common/lost-device.ts';
import { openDevice, whenLost } from '../common/open-device.ts';
import { createView } from '../common/view.ts';
import { enableControls } from './controls.ts';
import { createFigures, figure } from './figures.ts';
import { enablePointer, throwThrough } from './pointer.ts';
import type { Colour } from './picture.ts';
import { createRun } from './run.ts';
import type { Run } from './run.ts';
import { SCENES } from './scenes.ts';
import type { SceneName } from './scenes.ts';
import type { Vector } from './simulation.ts';
import * as size from './size.ts';
import { createStage } from './stage.ts';

/** For tests: steps without drawing, and what the simulation holds. */
export interface DebrisDemo {
  readonly firstBall: number;
  readonly steps: number;
  /** Steps and poses at the end of the run that was computed before it is shown. */
  firstRun(): { steps: number; poses: number[] } | undefined;
  step(count: number): Promise<void>;
  reset(): void;
  throwBall(position: Vector, velocity: Vector): void;
  poses(): Promise<number[]>;
  motions(): Promise<number[]>;
  draw(): void;
  /** Draws these poses, with these colours of the bodies from number 1 on. */
  show(poses: number[], colours: Colour[]): void;
}

declare global {
  interface Window {
    debris: DebrisDemo;
  }
}

const FIGURES_EVERY_MS = 250;

const tell = (text: string): void => {
  byId('progress').textContent = text;
};

async function main(): Promise<void> {
  enableAbout();
  const parameters = new URLSearchParams(location.search);
  const choice = backendChoice(parameters);
  const looksAhead = parameters.get('ahead') !== 'no';
  const wanted = size.bodiesOf(parameters);
  const name = (parameters.get('scene') ?? 'wall') as SceneName;
  if (!SCENES.includes(name)) throw new Error(`?scene=${name} is unknown, expected ${SCENES.join(', ')}`);
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
  const view = await createView(canvas, gpu);
  const stage = createStage(view);

  let count = wanted ?? (gpu ? (gpu.isSoftware ? size.SOFTWARE_BODIES : size.rememberedBodies()) : size.CPU_BODIES);
  if (count === undefined) {
    count = await size.measureBodies(device!, tell);
    size.rememberBodies(count);
  }
  const most = device ? size.mostBodies(device) : Infinity;
  if (count > most) {
    showNotice('warning', 'Fewer bodies', `The adapter's buffers hold ${figure(most)} bodies`);
    count = most;
  }

  let run: Run = await load(name, count);
  let isPaused = parameters.has('paused');
  let isBusy = false;
  let working = Promise.resolve();
  let isLost = false;
  let isStale = true;
  let figuresAt = 0;
  let radii = radiiOf(run);
  const figuresOf = createFigures(device ? 'webgpu' : 'cpu');
  canvas.setAttribute('data-ready', 'true');

  function load(scene: SceneName, amount: number): Promise<Run> {
    const target = { device, renderer: view.renderer, group: stage.bodies };
    return createRun(scene, amount, target, { looksAhead, tell });
  }

  function draw(): void {
    isStale = false;
    view.render();
  }

  async function advance(steps: number): Promise<void> {
    isStale = true;
    await run.step(steps);
    if (!device) run.meshes.update(await run.simulation.readPoses());
  }

  function showFigures(): void {
    figuresAt = performance.now();
    const shown = run;
    figuresOf(shown).catch((error: unknown) => {
      // A run that was replaced meanwhile has no buffers to read.
      if (shown === run) failUnlessLost(error);
    });
  }

  async function frame(): Promise<void> {
    if (isLost) return;
    if (!isBusy) {
      isBusy = true;
      try {
        if (!isPaused) {
          working = advance(1);
          await working;
          if (performance.now() - figuresAt > FIGURES_EVERY_MS) showFigures();
        }
        view.controls.update();
        // While nothing moves, nothing is drawn.
        if (!isPaused || isStale) draw();
      } finally {
        isBusy = false;
      }
    }
    requestAnimationFrame(() => void frame().catch(failUnlessLost));
  }

  async function change(scene: SceneName, amount: number): Promise<void> {
    await working;
    isBusy = true;
    try {
      const former = run;
      run = await load(scene, amount);
      former.dispose();
      radii = radiiOf(run);
      stage.frame(run.scene);
      isStale = true;
      tell('');
      showFigures();
    } finally {
      isBusy = false;
    }
  }

  /** The loss of the device has a notice of its own. */
  function failUnlessLost(error: unknown): void {
    if (!isLost) fail(error);
  }

  const markStale = (): void => {
    isStale = true;
  };
  view.controls.addEventListener('change', markStale);
  new ResizeObserver(markStale).observe(canvas);

  const reset = (): void => {
    run.reset();
    run.meshes.update(run.simulation.arrays.poses);
    isStale = true;
    showFigures();
  };
  const pause = (): void => {
    isPaused = !isPaused;
    controls.showPaused(isPaused);
  };
  const controls = enableControls(name, count, most, {
    pause,
    reset,
    step() {
      if (!isPaused) pause();
      void advance(1).then(showFigures).catch(failUnlessLost);
    },
    throwBall: () => throwThrough(view, 0, 0.05, run.launch),
    change(scene, amount) {
      size.rememberBodies(amount);
      void change(scene, amount).catch(failUnlessLost);
    },
  });
  controls.showPaused(isPaused);
  enablePointer(view, canvas, {
    poses: () => run.simulation.readPoses(),
    radii: () => radii,
    launch: (position, velocity) => run.launch(position, velocity),
    drag: (body, goal) => run.drag(body, goal),
  });

  if (gpu)
    whenLost(gpu, (reason) => {
      isLost = true;
      showLostDevice(reason, 'Go on with this scene', () => ({
        backend: choice,
        scene: controls.scene(),
        bodies: controls.count(),
      }));
    });

  stage.frame(run.scene);
  tell('');
  draw();
  showFigures();
  window.debris = {
    get firstBall() {
      return run.scene.firstBall;
    },
    get steps() {
      return run.steps;
    },
    firstRun: () => run.firstRun && { steps: run.firstRun.steps, poses: [...run.firstRun.poses] },
    step: advance,
    reset,
    throwBall: (position, velocity) => run.launch(position, velocity),
    poses: async () => [...(await run.simulation.readPoses())],
    motions: async () => [...(await run.simulation.readMotions())],
    draw,
    show(poses, colours) {
      const latest = Float32Array.from(poses);
      run.simulation.setPoses(latest);
      run.meshes.update(latest);
      run.meshes.paint(1, colours);
      draw();
    },
  };
  document.documentElement.dataset.state = 'done';
  requestAnimationFrame(() => void frame().catch(failUnlessLost));
}

/** A ball around each body that can be dragged. */
function radiiOf({ scene, simulation }: Run): Float32Array {
  const { masses } = simulation.arrays;
  return Float32Array.from(scene.bodies, (_, i) => Math.cbrt(masses[8 * i]) * 0.7);
}

function fail(error: unknown): void {
  document.documentElement.dataset.state = 'failed';
  tell('');
  showNotice('error', 'It does not work here', error instanceof Error ? error.message : String(error));
}

main().catch(fail);
