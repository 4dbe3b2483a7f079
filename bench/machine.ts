/** The machine that was measured on. */

import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem, type } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  os: string;
  node: string;
  /** Other work under way when the benchmark began: processes waiting to run, over the last minute. */
  loadAtStart: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: distribution() ?? type(),
    node: process.versions.node,
    loadAtStart: Math.round(100 * loadavg()[0]) / 100,
  };
}

function distribution(): string | undefined {
  try {
    return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
