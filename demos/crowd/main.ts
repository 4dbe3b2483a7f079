/** Opens the device, and the page on it. Says why if that fails or the device is lost. */

import { createTester } from 'narrowphase';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import type { BackendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { showLostDevice } from '../common/lost-device.ts';
import { openDevice, whenLost } from '../common/open-device.ts';
import type { PageDevice } from '../common/open-device.ts';
import { openPage } from './page.ts';
import type { Plan } from './page.ts';
import { remark } from './remarks.ts';
import { settingsOf } from './settings.ts';
import type { Settings } from './settings.ts';

/** People if the address does not say how many: on a GPU, on a software adapter, on the CPU. A slow machine gets fewer. */
const FIRST_AMOUNT = { gpu: 3000, software: 400, cpu: 250 };

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
  const tester = await createTester(gpu ? { dimension: 2, device: gpu.device } : { dimension: 2, backend: 'cpu' });
  byId('backend').textContent = gpu ? `WebGPU · ${gpu.name}` : 'CPU';
  const usualAmount = gpu ? (gpu.isSoftware ? FIRST_AMOUNT.software : FIRST_AMOUNT.gpu) : FIRST_AMOUNT.cpu;
  const wanted: Plan = { scene: settings.scene, agents: settings.people ?? usualAmount };
  if (gpu)
    whenLost(gpu, (reason) => {
      isLost = true;
      root.dataset.state = 'failed';
      showLostDevice(reason, 'Go on with this plan', () => ({
        scene: wanted.scene,
        agents: String(wanted.agents),
        seed: String(settings.seed),
        backend: choice,
      }));
    });
  await openPage({ tester, gpu, settings, wanted, fail });
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
