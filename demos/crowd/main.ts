/** The page: opens the device, runs the crowd once per frame, and shows what it counts. */

import { createTester } from 'narrowphase';
import type { PlanarTester } from 'narrowphase';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import type { BackendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { openDevice } from '../common/open-device.ts';
import type { PageDevice } from '../common/open-device.ts';
import { createCamera } from './camera.ts';
import { doorAt } from './door-at.ts';
import { showLostDevice } from './lost-device.ts';
import { fewerPeople, measureStep } from './pace.ts';
import { onThemeChange } from './palette.ts';
import { createPanel, showDoors, showPlan, showReference, showReport, showRunning, showZones } from './panel.ts';
import { drawCpuCrowd } from './people-canvas.ts';
import { createGpuDrawing } from './people-webgpu.ts';
import { drawLabels, drawPlan } from './plan-layer.ts';
import { createReferenceCheck } from './reference-check.ts';
import { remark } from './remarks.ts';
import { RULES } from './rules.ts';
import { settingsOf } from './settings.ts';
import type { Settings } from './settings.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { createStepChart } from './step-chart.ts';

/** People unless the address says how many: on a graphics card, on a software adapter, on the CPU. Slow ones get fewer. */
const FIRST_AMOUNT = { gpu: 3000, software: 400, cpu: 250 };
/** Steps between two readings of the counters, and between two checks by the reference. */
const REPORT_STEPS = 12;
const REFERENCE_STEPS = 60;
/** The reference checks one person of so many each time, so that no frame waits for it. */
const REFERENCE_STRIDE = 16;
/** A slow machine falls behind real time rather than takes more steps per frame. */
const MOST_STEPS_PER_FRAME = 2;

const root = document.documentElement;
let isLost = false;

async function start(): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  const settings = settingsOf(parameters);
  const choice = backendChoice(parameters);
  const opened = await openDevice(choice);
  if (!('reason' in opened)) return run(settings, choice, opened);
  if (choice === 'webgpu') throw new Error(opened.reason);
  if (choice === 'auto') remark('backend', opened.reason);
  return run(settings, choice, undefined);
}

async function run(settings: Settings, choice: BackendChoice, gpu: PageDevice | undefined): Promise<void> {
  const { seed } = settings;
  const tester: PlanarTester = await createTester(
    gpu ? { dimension: 2, device: gpu.device } : { dimension: 2, backend: 'cpu' },
  );
  byId('backend').textContent = gpu ? `WebGPU · ${gpu.name}` : 'CPU';
  const canvas = byId<HTMLCanvasElement>('people');
  const drawGpuCrowd = gpu && (await createGpuDrawing(canvas, gpu.device));
  const usualAmount = gpu ? (gpu.isSoftware ? FIRST_AMOUNT.software : FIRST_AMOUNT.gpu) : FIRST_AMOUNT.cpu;

  /** The plan and the number of people that the visitor wants. */
  let wanted = { scene: settings.scene, agents: settings.people ?? usualAmount };
  void gpu?.device.lost.then(({ message }) => {
    isLost = true;
    root.dataset.state = 'failed';
    showLostDevice(message, { ...wanted, seed, backend: choice });
  });

  let simulation: Simulation;
  let checkByReference: ReturnType<typeof createReferenceCheck>;
  let reference = { checks: 0, inWalls: 0 };
  let isRunning = settings.isRunning;
  let isPlanDrawn = false;
  let isStale = true;
  /** Steps and drawing take turns: whoever wants one waits here. */
  let busy: Promise<unknown> = Promise.resolve();
  const chart = createStepChart(byId('chart'));

  const scene = (): Simulation['crowd']['world']['scene'] => simulation.crowd.world.scene;
  const camera = createCamera(canvas, () => scene().size, {
    changed: () => {
      isPlanDrawn = false;
    },
    clicked(x, y) {
      byId('hint').hidden = true;
      const door = doorAt(scene(), x, y);
      if (door === undefined) simulation.throwIn(x, y);
      else toggleDoor(door);
    },
    hovered: (x, y) => canvas.classList.toggle('over-door', doorAt(scene(), x, y) !== undefined),
  });

  function toggleDoor(door: number): void {
    simulation.toggleDoor(door);
    showDoors(simulation.isOpen);
  }

  async function open(name: string, people: number): Promise<void> {
    simulation?.dispose();
    wanted = { scene: name, agents: people };
    simulation = await createSimulation(tester, gpu?.device, { scene: name, people, seed });
    const { world } = simulation.crowd;
    const room = `The plan has room for ${world.walkers.toLocaleString('en')} people`;
    remark('room', world.walkers < people ? room : undefined);
    checkByReference = createReferenceCheck(world);
    showPlan(world.scene, name, people);
    restart();
    camera.fit();
  }

  /** Opens the first plan with as many people as this machine takes in real time. */
  async function openMeasured(): Promise<void> {
    await open(wanted.scene, wanted.agents);
    for (;;) {
      const milliseconds = await measureStep(simulation, gpu?.device);
      const fewer = fewerPeople(wanted.agents, milliseconds);
      if (fewer === undefined) break;
      const [before, after] = [wanted.agents.toLocaleString('en'), fewer.toLocaleString('en')];
      await open(wanted.scene, fewer);
      remark('pace', `A step with ${before} people took ${milliseconds.toFixed(0)} ms here, so ${after} walk`);
    }
    restart();
  }

  function restart(): void {
    isStale = true;
    simulation.reset();
    reference = { checks: 0, inWalls: 0 };
    chart.clear();
    showDoors(simulation.isOpen);
    showReference(reference);
  }

  async function step(): Promise<void> {
    isStale = true;
    await simulation.step();
    if (simulation.steps % REFERENCE_STEPS === 0) void checkSome().catch(fail);
    showDoors(simulation.isOpen);
  }

  let rate: { steps: number; at: number } | undefined;
  async function report(): Promise<void> {
    const { steps } = simulation;
    const found = await simulation.crowd.report();
    const now = performance.now();
    const perSecond = rate && steps > rate.steps ? ((steps - rate.steps) * 1000) / (now - rate.at) : undefined;
    rate = { steps, at: now };
    showReport(found, isRunning ? perSecond : undefined);
    const times = Object.keys(found.times).length > 0 ? found.times : { all: latestStep };
    if (steps > 0) chart.add(steps, times);
  }

  async function checkSome(): Promise<void> {
    const checked = simulation;
    const round = simulation.steps / REFERENCE_STEPS;
    const snapshot = await simulation.crowd.snapshot();
    if (checked !== simulation) return;
    const { checks, inWalls } = checkByReference(snapshot, round % REFERENCE_STRIDE, REFERENCE_STRIDE);
    reference = { checks: reference.checks + checks, inWalls: reference.inWalls + inWalls };
    showReference(reference);
  }

  async function draw(): Promise<void> {
    isStale = false;
    if (!isPlanDrawn) {
      drawPlan(byId<HTMLCanvasElement>('plan'), scene(), camera);
      drawLabels(byId<HTMLCanvasElement>('labels'), scene(), camera);
    }
    isPlanDrawn = true;
    if (drawGpuCrowd) drawGpuCrowd(simulation.gpuCrowd!, camera);
    else drawCpuCrowd(canvas, simulation.crowd.world, await simulation.crowd.snapshot(), camera);
  }

  /** Milliseconds of the latest step until the device had finished it. */
  let latestStep = 0;
  let reportedAt = 0;
  let last = performance.now();
  let owed = 0;
  async function frame(now: number): Promise<void> {
    owed = Math.min(owed + (now - last) / 1000 / RULES.STEP, MOST_STEPS_PER_FRAME);
    last = now;
    const from = performance.now();
    let taken = 0;
    if (isRunning) for (; owed >= 1; owed--, taken++) await step();
    await gpu?.device.queue.onSubmittedWorkDone();
    if (taken > 0) latestStep = (performance.now() - from) / taken;
    // While nothing moves, nothing is drawn.
    if (isStale || !isPlanDrawn) await draw();
    if (simulation.steps >= reportedAt + REPORT_STEPS || simulation.steps < reportedAt) {
      reportedAt = simulation.steps;
      await report();
    }
  }

  /** One thing after the other: nothing changes the crowd while a step runs. */
  function inTurn<T>(action: () => Promise<T> | T): Promise<T> {
    const result = busy.then(action);
    busy = result.catch(fail);
    return result;
  }

  createPanel({
    pause() {
      isRunning = !isRunning;
      showRunning(isRunning);
    },
    step: () =>
      void inTurn(async () => {
        isRunning = false;
        showRunning(false);
        await step();
        await report();
      }),
    reset: () =>
      void inTurn(async () => {
        restart();
        await report();
      }),
    choose(name, people) {
      remark('pace', undefined);
      void inTurn(() => open(name, people));
    },
    toggleDoor,
  });
  onThemeChange(() => {
    isPlanDrawn = false;
    showZones(scene());
    chart.repaint();
  });

  if (settings.people === undefined) await openMeasured();
  else await open(wanted.scene, wanted.agents);
  new ResizeObserver(() => camera.fit()).observe(canvas);
  showRunning(isRunning);
  await report();
  await draw();
  window.crowd = {
    take: (steps) =>
      inTurn(async () => {
        for (let k = 0; k < steps; k++) await step();
        await report();
        await draw();
        return (await simulation.crowd.report()).totals;
      }),
    snapshot: () => inTurn(() => simulation.crowd.snapshot()),
    world: () => simulation.crowd.world,
    toggleDoor,
    throwIn: (x, y) => simulation.throwIn(x, y),
    loseDevice: () => gpu?.device.destroy(),
    toPage(x, y) {
      const { left, top } = canvas.getBoundingClientRect();
      const [px, py] = camera.toCanvas(x, y);
      return [left + px, top + py];
    },
  };
  const loop = (now: number): void => {
    inTurn(() => frame(now)).then(
      () => requestAnimationFrame(loop),
      () => {}, // `inTurn` has told the visitor; no further frame.
    );
  };
  requestAnimationFrame(loop);
}

function fail(error: unknown): void {
  if (isLost) return; // What runs on the device fails then, and the visitor knows why.
  root.dataset.state = 'failed';
  showNotice('error', 'The crowd stopped', error instanceof Error ? error.message : String(error));
}

enableAbout();
start().then(() => {
  root.dataset.state = 'done';
}, fail);
