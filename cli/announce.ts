/** What commands say about the engine that they opened. */

import type { ReportEngine } from './report/report-header.ts';
import type { OpenEngine } from './open-engine.ts';
import { adapterText, counted } from './terminal-text.ts';
import { notice } from './write-output.ts';

/** Facts for reports. */
export function engineOf({ engine, fallback }: OpenEngine): ReportEngine {
  const { name, backend, runtime, adapter } = engine.facts;
  const { vendor, architecture, description, isSoftware } = adapter;
  return { name, backend, runtime, adapter: { vendor, architecture, description, isSoftware }, fallback };
}

/** What people should know before they wait. */
export function announce({ engine, fallback }: OpenEngine, pairs: number, bodies: number): void {
  notice(`${counted(pairs, 'candidate pair')} of ${counted(bodies, 'body')} on ${engine.facts.name}`);
  if (fallback !== null) notice(`no WebGPU, running on the CPU: ${fallback}`);
  else if (engine.facts.backend === 'webgpu' && engine.facts.adapter.isSoftware)
    notice(`no graphics card is used: ${adapterText(engine.facts)}`);
}
