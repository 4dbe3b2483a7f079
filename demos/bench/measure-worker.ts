/**
 * Opens a device and measures cases on it, or on the CPU, away from the page's own thread: making pairs and judging
 * answers takes seconds per case. The page ends a run by ending the worker.
 */

import { CASES } from '../../verification/gpu-cases/cases.ts';
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

addEventListener('message', ({ data }: MessageEvent<WorkerTask>) => {
  void (data.kind === 'open' ? open(data.choice) : run(data));
});

async function open(choice: BackendChoice): Promise<void> {
  const opened = await openDevice(choice).catch((error: Error) => ({ reason: error.message }));
  if ('reason' in opened) {
    post({ kind: 'opened', adapter: null, reason: opened.reason });
    return;
  }
  gpu = opened;
  whenLost(gpu, (reason) => post({ kind: 'lost', reason }));
  post({ kind: 'opened', adapter: factsOf(gpu), reason: '' });
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
      post({ kind: 'failed', name, reason: (error as Error).message });
    }
  }
  post({ kind: 'done' });
}
