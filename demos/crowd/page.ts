/** The page: connects the crowd with the view and the panel. */

import type { PlanarTester } from 'narrowphase';
import { darkTheme } from '../common/dark-theme.ts';
import { byId } from '../common/dom.ts';
import type { PageDevice } from '../common/open-device.ts';
import { createCamera } from './camera.ts';
import { createCrowdView } from './crowd-view.ts';
import { doorAt } from './door-at.ts';
import { createFrameLoop } from './frame-loop.ts';
import { openAtPace } from './pace.ts';
import { createPageHook } from './page-hook.ts';
import { createPanel, showDoors, showPlan, showRunning, showZones } from './panel.ts';
import { createReferenceRounds } from './reference-rounds.ts';
import { createReporter } from './reporter.ts';
import { remark } from './remarks.ts';
import type { Settings } from './settings.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { createWallTool } from './wall-tool.ts';

/** A plan, and the number of people in it. */
export interface Plan {
  scene: string;
  agents: number;
}

export interface PageOptions {
  tester: PlanarTester;
  gpu: PageDevice | undefined;
  settings: Settings;
  /** What the visitor wants, at first and from then on. */
  wanted: Plan;
  fail(error: unknown): void;
}

export async function openPage({ tester, gpu, settings, wanted, fail }: PageOptions): Promise<void> {
  const { seed } = settings;
  const canvas = byId<HTMLCanvasElement>('people');
  const view = await createCrowdView(canvas, gpu);
  let simulation: Simulation;
  const reference = createReferenceRounds();
  let isRunning = settings.isRunning;
  const reporter = createReporter();

  const scene = (): Simulation['crowd']['world']['scene'] => simulation.crowd.world.scene;
  const camera = createCamera(canvas, () => scene().size, {
    changed: view.planChanged,
    tool: () => walls.chosen(),
    clicked(x, y) {
      byId('hint').hidden = true;
      const door = doorAt(scene(), x, y);
      if (door === undefined) simulation.throwIn(x, y);
      else toggleDoor(door);
    },
    hovered: (x, y) => canvas.classList.toggle('over-door', doorAt(scene(), x, y) !== undefined),
  });

  const keepWalls = (count: (now: number) => number): void =>
    frames.queue(async () => {
      await simulation.keepWalls(count(simulation.walls.length));
      wallsChanged();
    });
  const walls = createWallTool({
    add: (from, to) =>
      frames.inTurn(async () => {
        const reason = await simulation.addWall(from, to);
        if (!reason) wallsChanged();
        return reason;
      }),
    undo: () => keepWalls((count) => count - 1),
    clear: () => keepWalls(() => 0),
    previewChanged: view.planChanged,
  });

  function toggleDoor(door: number): void {
    simulation.toggleDoor(door);
    showDoors(simulation.isOpen);
  }

  async function open(name: string, people: number): Promise<Simulation> {
    simulation?.dispose();
    Object.assign(wanted, { scene: name, agents: people });
    simulation = await createSimulation(tester, gpu?.device, { scene: name, people, seed });
    const { world } = simulation.crowd;
    const room = `The plan has room for ${world.walkers.toLocaleString('en')} people`;
    remark('room', world.walkers < people ? room : undefined);
    showPlan(world.scene, name, people);
    restart();
    camera.fit();
    return simulation;
  }

  function restart(): void {
    simulation.reset();
    reporter.clear();
    showDoors(simulation.isOpen);
    wallsChanged();
  }

  function wallsChanged(): void {
    view.planChanged();
    view.peopleChanged();
    walls.showCount(simulation.walls.length);
    reference.follow(simulation);
  }

  async function step(): Promise<void> {
    view.peopleChanged();
    await simulation.step();
    void reference.stepped().catch(fail);
    showDoors(simulation.isOpen);
  }

  const report = (): Promise<void> => reporter.report(simulation, isRunning);
  const draw = (): Promise<void> => view.draw(simulation, camera, walls.preview());

  const frames = createFrameLoop({
    isRunning: () => isRunning,
    steps: () => simulation.steps,
    step,
    finishSteps: async () => gpu?.device.queue.onSubmittedWorkDone(),
    measured: reporter.measured,
    draw,
    report,
    failed: fail,
  });

  createPanel({
    pause() {
      isRunning = !isRunning;
      showRunning(isRunning);
    },
    step: () =>
      frames.queue(async () => {
        isRunning = false;
        showRunning(false);
        await step();
        await report();
      }),
    reset: () =>
      frames.queue(async () => {
        restart();
        await report();
      }),
    choose(name, people) {
      remark('pace', undefined);
      frames.queue(() => open(name, people));
    },
    toggleDoor,
  });
  darkTheme.addEventListener('change', () => {
    view.planChanged();
    showZones(scene());
    reporter.repaint();
  });

  if (settings.people === undefined) {
    await openAtPace(wanted.agents, (people) => open(wanted.scene, people), gpu?.device);
    restart();
  } else {
    await open(wanted.scene, wanted.agents);
  }
  new ResizeObserver(() => camera.fit()).observe(canvas);
  showRunning(isRunning);
  await report();
  await draw();
  window.crowd = createPageHook({
    canvas,
    camera,
    frames,
    simulation: () => simulation,
    step,
    report,
    draw,
    toggleDoor,
  });
  frames.start();
}
