/** The page: opens the device and a plan, and connects the crowd with the view and the panel. */

import { createTester } from 'narrowphase';
import type { PlanarTester } from 'narrowphase';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import type { BackendChoice } from '../common/choose-backend.ts';
import { darkTheme } from '../common/dark-theme.ts';
import { byId, showNotice } from '../common/dom.ts';
import { showLostDevice } from '../common/lost-device.ts';
import { openDevice, whenLost } from '../common/open-device.ts';
import type { PageDevice } from '../common/open-device.ts';
import { createCamera } from './camera.ts';
import { doorAt } from './door-at.ts';
import { createFrameLoop } from './frame-loop.ts';
import { openAtPace } from './pace.ts';
import { createPageHook } from './page-hook.ts';
import { createPanel, showDoors, showPlan, showReference, showReport, showRunning, showZones } from './panel.ts';
import { drawCpuCrowd } from './people-canvas.ts';
import { createGpuDrawing } from './people-webgpu.ts';
import { drawLabels, drawPlan } from './plan-layer.ts';
import { createReferenceCheck } from './reference-check.ts';
import { remark } from './remarks.ts';
import { settingsOf } from './settings.ts';
import type { Settings } from './settings.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { createStepChart } from './step-chart.ts';

/** People if the address does not say how many: on a GPU, on a software adapter, on the CPU. A slow machine gets fewer. */
const FIRST_AMOUNT = { gpu: 3000, software: 400, cpu: 250 };
/** Steps between two checks by the reference. */
const REFERENCE_STEPS = 60;
/** Each time the reference checks one person in this many, so that no frame waits for it. */
const REFERENCE_STRIDE = 16;

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
  if (gpu)
    whenLost(gpu, (reason) => {
      isLost = true;
      root.dataset.state = 'failed';
      showLostDevice(reason, 'Go on with this plan', () => ({
        scene: wanted.scene,
        agents: String(wanted.agents),
        seed: String(seed),
        backend: choice,
      }));
    });

  let simulation: Simulation;
  let checkByReference: ReturnType<typeof createReferenceCheck>;
  let reference = { checks: 0, inWalls: 0 };
  let isRunning = settings.isRunning;
  let isPlanDrawn = false;
  let isStale = true;
  /** Milliseconds of the latest step until the device had finished it. */
  let latestStep = 0;
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

  async function open(name: string, people: number): Promise<Simulation> {
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
    return simulation;
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

  const frames = createFrameLoop({
    isRunning: () => isRunning,
    steps: () => simulation.steps,
    step,
    finishSteps: async () => gpu?.device.queue.onSubmittedWorkDone(),
    measured(milliseconds) {
      latestStep = milliseconds;
    },
    async drawIfStale() {
      if (isStale || !isPlanDrawn) await draw();
    },
    report,
    failed: fail,
  });

  createPanel({
    pause() {
      isRunning = !isRunning;
      showRunning(isRunning);
    },
    step: () =>
      void frames.inTurn(async () => {
        isRunning = false;
        showRunning(false);
        await step();
        await report();
      }),
    reset: () =>
      void frames.inTurn(async () => {
        restart();
        await report();
      }),
    choose(name, people) {
      remark('pace', undefined);
      void frames.inTurn(() => open(name, people));
    },
    toggleDoor,
  });
  darkTheme.addEventListener('change', () => {
    isPlanDrawn = false;
    showZones(scene());
    chart.repaint();
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

function fail(error: unknown): void {
  if (isLost) return; // Everything on the device fails then, and the notice says why.
  root.dataset.state = 'failed';
  showNotice('error', 'The crowd stopped', error instanceof Error ? error.message : String(error));
}

enableAbout();
start().then(() => {
  root.dataset.state = 'done';
}, fail);
