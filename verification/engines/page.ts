/**
 * Runs in the page that the command line opens in a browser. It fetches a task, executes it with the package's own
 * tester, posts the outcome and fetches the next task, until the browser is closed. Addresses are relative to the
 * page's own.
 */

import { NarrowphaseError } from '../../src/api/errors.ts';
import { requestAdapter } from '../../src/gpu/device.ts';
import { createTester } from '../../src/index.ts';
import type { Bodies } from '../../src/api/types.ts';
import { adapterFacts } from './adapter-facts.ts';
import { decodeMessage, encodeMessage } from './binary-message.ts';
import type { BinaryMessage, MessageArray } from './binary-message.ts';
import type { Outcome, Task } from './messages.ts';
import { testerAnswers } from './tester-engine.ts';
import type { Answering } from './tester-engine.ts';

let engine: Answering | undefined;

async function open(): Promise<BinaryMessage<Outcome>> {
  // An adapter gives one device: the tester requests its own.
  const adapter = await requestAdapter(navigator.gpu);
  const tester = await createTester({ backend: 'webgpu' });
  engine = testerAnswers(tester);
  return {
    head: {
      kind: 'opened',
      backend: tester.backend,
      description: { ...tester.adapter },
      adapter: adapterFacts(adapter),
    },
    arrays: {},
  };
}

async function carryOut({ head, arrays }: BinaryMessage<Task>): Promise<BinaryMessage<Outcome>> {
  if (head.kind === 'open') return open();
  if (!engine) throw new Error(`${head.kind} before open`);
  if (head.kind === 'load') {
    await engine.load(head.shapes, arrays as unknown as Bodies);
    return { head: { kind: 'loaded' }, arrays: {} };
  }
  const { pairs, margin, duration } = arrays;
  const { answer, timings } =
    head.kind === 'impacts'
      ? await engine.impacts(pairs as Uint32Array, duration[0])
      : await engine.ask({ ...head.question, pairs: pairs as Uint32Array, margin: margin?.[0] });
  const views = Object.entries(answer).filter(([, value]) => ArrayBuffer.isView(value));
  const { count, statusCounts } = answer;
  return {
    head: { kind: 'answered', count, statusCounts, timings },
    arrays: Object.fromEntries(views) as Record<string, MessageArray>,
  };
}

function failure(error: unknown): BinaryMessage<Outcome> {
  const code = error instanceof NarrowphaseError ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  return { head: { kind: 'failed', code, message }, arrays: {} };
}

for (;;) {
  const response = await fetch('task', { cache: 'no-store' });
  // No task yet: the server ends requests that wait too long.
  if (response.status === 204) continue;
  const task = decodeMessage<Task>(await response.arrayBuffer());
  const outcome = await carryOut(task).catch(failure);
  await fetch('outcome', { method: 'POST', body: new Blob(encodeMessage(outcome)) });
}
