/** Plays a run: steps and frames by turns, and what the visitor does in between. One task runs at a time. */

import { byId } from '../common/dom.ts';
import type { View } from '../common/view.ts';
import { lookAhead } from './look-ahead.ts';
import type { AheadChoice } from './look-ahead.ts';
import type { BodyStyle } from './body-meshes.ts';
import { createRun } from './run.ts';
import type { Run } from './run.ts';
import type { SceneName } from './scenes.ts';
import type { Vector } from './simulation.ts';
import type { Stage } from './stage.ts';

const FIGURES_EVERY_MS = 250;

export interface PlayerOptions {
  /** Without one, the CPU computes. */
  device?: GPUDevice;
  ahead: AheadChoice;
  isPaused: boolean;
  style: BodyStyle;
  draw(): void;
  showFigures(run: Run): Promise<void>;
  tell(text: string): void;
  onError(error: unknown): void;
}

export interface Player {
  readonly run: Run;
  readonly isPaused: boolean;
  /** Whether there is a run that takes balls and drags: not while one is computed ahead. */
  readonly isReady: boolean;
  /** Replaces the run. */
  load(scene: SceneName, count: number): Promise<void>;
  /** Begins with the frames. */
  start(): void;
  /** Ends them, as when the device is lost. */
  stop(): void;
  pause(): void;
  step(count: number): Promise<void>;
  reset(): Promise<void>;
  launch(position: Vector, velocity: Vector): void;
  drag(body: number, goal: Vector): void;
  setStyle(style: BodyStyle): void;
  draw(): void;
}

function showLooking(isLooking: boolean): void {
  byId('skip').hidden = !isLooking;
  byId<HTMLButtonElement>('throw').disabled = isLooking;
  showStep('');
}

/** Beside the progress: screen readers don't announce each step. */
function showStep(text: string): void {
  byId('step-ahead').textContent = text;
}

export function createPlayer(view: View, stage: Stage, options: PlayerOptions): Player {
  const { device, ahead, tell, onError } = options;
  let { isPaused, style } = options;
  let run: Run;
  let loads = 0;
  let isStopped = false;
  let isStale = true;
  let figuresAt = 0;
  let looking: AbortController | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(task: () => void | Promise<void>): Promise<void> {
    waiting++;
    const turn = last.then(task).finally(() => waiting--);
    last = turn.catch(() => undefined);
    return turn;
  }

  function draw(): void {
    isStale = false;
    run.updateMarks();
    options.draw();
  }

  function showFigures(): void {
    figuresAt = performance.now();
    const shown = run;
    options.showFigures(shown).catch((error: unknown) => {
      // A run that was replaced meanwhile has no buffers to read.
      if (shown === run) onError(error);
    });
  }

  async function advance(steps: number): Promise<void> {
    isStale = true;
    await run.step(steps);
    if (!device) run.meshes.update(await run.simulation.readPoses());
  }

  async function replace(scene: SceneName, count: number, isLatest: () => boolean): Promise<void> {
    tell('Making the scene…');
    const former = run as Run | undefined;
    run = await createRun(scene, count, { device, renderer: view.renderer, group: stage.bodies });
    former?.dispose();
    run.setStyle(style);
    stage.frame(run.scene);
    draw();
    tell('');
    if (scene === 'wall' && ahead !== 'no' && isLatest()) await look();
    isStale = true;
    showFigures();
  }

  async function look(): Promise<void> {
    looking = new AbortController();
    showLooking(true);
    try {
      await lookAhead(run, ahead, { signal: looking.signal, tell, showStep });
    } finally {
      looking = undefined;
      showLooking(false);
    }
  }

  const isReady = (): boolean => (run as Run | undefined) !== undefined && !looking;

  async function playFrame(): Promise<void> {
    if (!isPaused) {
      await advance(1);
      if (performance.now() - figuresAt > FIGURES_EVERY_MS) showFigures();
    }
    view.controls.update();
    // While nothing moves, nothing is drawn.
    if (!isPaused || isStale) draw();
  }

  async function frame(): Promise<void> {
    if (isStopped) return;
    if (waiting === 0) await inTurn(playFrame);
    requestAnimationFrame(() => void frame().catch(onError));
  }

  const markStale = (): void => {
    isStale = true;
  };
  view.controls.addEventListener('change', markStale);
  new ResizeObserver(markStale).observe(view.renderer.domElement);
  byId('skip').addEventListener('click', () => looking?.abort());

  return {
    get run() {
      return run;
    },
    get isPaused() {
      return isPaused;
    },
    get isReady() {
      return isReady();
    },
    load(scene, count) {
      looking?.abort();
      const load = ++loads;
      return inTurn(() => replace(scene, count, () => load === loads));
    },
    start: () => void frame().catch(onError),
    stop() {
      isStopped = true;
    },
    pause() {
      isPaused = !isPaused;
    },
    step: (count) =>
      inTurn(async () => {
        await advance(count);
        showFigures();
      }),
    reset: () =>
      inTurn(() => {
        run.reset();
        run.meshes.update(run.simulation.arrays.poses);
        isStale = true;
        showFigures();
      }),
    launch(position, velocity) {
      if (isReady()) void inTurn(() => run.launch(position, velocity)).catch(onError);
    },
    drag(body, goal) {
      if (isReady()) run.drag(body, goal);
    },
    setStyle(next) {
      style = next;
      void inTurn(() => {
        run.setStyle(style);
        isStale = true;
      }).catch(onError);
    },
    draw,
  };
}
