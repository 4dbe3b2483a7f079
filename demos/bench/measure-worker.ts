/**
 * Opens a device and measures cases on it, or on the CPU, away from the page's own thread: making pairs and judging
 * answers takes seconds per case. The page ends a run by ending the worker.
 */

import { CASES } from '../../verification/gpu-cases/cases.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';
import { openDevice, whenLost, type PageDevice } from '../common/open-device.ts';
import type { BackendChoice } from '../common/choose-backend.ts';
import { measureOnCpu, measureOnGpu } from './measure.ts';
import type { AdapterFacts, WorkerEvent, WorkerTask } from './messages.ts';

/** TypeScript's DOM library has no type for a worker's scope. */
interface WorkerScope {
  postMessage(message: WorkerEvent, transfer: Transferable[]): void;
}

const post = (event: WorkerEvent): void => (globalThis as unknown as WorkerScope).postMessage(event, []);

let gpu: PageDevice | undefined;
/** The page has been told that the device is lost, and ends this worker. */
let isLost = false;

addEventListener('message', ({ data }: MessageEvent<WorkerTask>) => {
  void (data.kind === 'open' ? open(data.choice) : run(data));
});

async function open(choice: BackendChoice): Promise<void> {
  try {
    const opened = await openDevice(choice);
    if ('reason' in opened) {
      post({ kind: 'opened', adapter: null, reason: opened.reason });
      return;
    }
    const adapter = factsOf(opened);
    whenLost(opened, (reason) => {
      isLost = true;
      post({ kind: 'lost', reason });
    });
    gpu = opened;
    post({ kind: 'opened', adapter, reason: '' });
  } catch (error) {
    post({ kind: 'opened', adapter: null, reason: (error as Error).message });
  }
}

function factsOf({ device: { features, limits }, name, isSoftware }: PageDevice): AdapterFacts {
  return {
    name,
    isSoftware,
    hasTimestamps: features.has('timestamp-query'),
    hasSubgroups: features.has('subgroups'),
    largestBuffer: limits.maxStorageBufferBindingSize,
  };
}

async function run({ cases, pairs, rounds }: Extract<WorkerTask, { kind: 'run' }>): Promise<void> {
  for (const gpuCase of CASES.filter(({ name }) => cases.includes(name))) {
    const { name } = gpuCase;
    const settings = { pairs, rounds, onStep: (step: string) => post({ kind: 'step', name, step }) };
    try {
      const measuring = gpu ? measureOnGpu(gpu.device, gpuCase, settings) : measureOnCpu(gpuCase, settings);
      post({ kind: 'measured', result: await measuring });
    } catch (error) {
      if (gpu) await untilAnswer(gpu.device);
      if (isLost) return;
      post({ kind: 'failed', name, reason: (error as Error).message });
    }
  }
  post({ kind: 'done' });
}

/**
 * Waits until the device has answered. Calls on a lost device may fail before the browser tells of the loss, and its
 * answers come in order.
 */
async function untilAnswer({ queue }: GPUDevice): Promise<void> {
  await within(queue.onSubmittedWorkDone(), LIMITS.work, 'an answer').catch(() => {});
  await new Promise((done) => setTimeout(done));
}
