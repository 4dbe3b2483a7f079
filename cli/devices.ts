/** `narrowphase devices`: lists every engine of this machine, and the one that `--engine auto` takes. */

import { DEFAULT_TIMEOUT, oneOf, parseCommand, timeoutMs } from './arguments.ts';
import type { AdapterFacts, EngineFacts } from '../verification/engines/engine.ts';
import { everyEngine, openEngine } from './open-engine.ts';
import type { FoundEngine, OpenOptions } from './open-engine.ts';
import { ExitCode, usageError } from './exit.ts';
import { notice, print } from './write-output.ts';
import { adapterText, engineText, labelled, printable, terminalWidth } from './terminal-text.ts';

const FORMATS = ['table', 'json'] as const;
const LABEL_WIDTH = 8;

interface DevicesReport {
  /** Version of the report's format. */
  version: 1;
  command: 'devices';
  /** Program and version that wrote the report. */
  generator: string;
  platform: string;
  engines: DeviceFacts[];
  /** The engine that `--engine auto` takes. `fallback` says why it isn't WebGPU; otherwise null. */
  auto: EngineFacts & { fallback: string | null };
}

type DeviceFacts = { name: string; detail: string } & (
  { isAvailable: true; facts: EngineFacts; adapter: AdapterFacts | null } | { isAvailable: false; reason: string }
);

export async function devices(args: string[], generator: string): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    format: { type: 'string', default: 'table' },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length > 0) throw usageError(`devices takes no file, ${positionals.length} given`);
  const format = oneOf('--format', values.format, FORMATS);
  const options: OpenOptions = { timeout: timeoutMs(values.timeout), notice };
  const engines: DeviceFacts[] = [];
  for await (const found of everyEngine(options)) engines.push(factsOf(found));
  const auto = await autoEngine(options);
  const report: DevicesReport = {
    version: 1,
    command: 'devices',
    generator,
    platform: `${process.platform} ${process.arch}`,
    engines,
    auto,
  };
  await print([format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : devicesTable(report, terminalWidth())]);
  return ExitCode.Done;
}

function factsOf(found: FoundEngine): DeviceFacts {
  const { name, detail } = found;
  if ('reason' in found) return { name, detail, isAvailable: false, reason: found.reason };
  return { name, detail, isAvailable: true, facts: found.engine.facts, adapter: found.engine.adapter };
}

/** Opened in the way of all commands, so that the list shows what they would get. */
async function autoEngine(options: OpenOptions): Promise<DevicesReport['auto']> {
  const { engine, fallback } = await openEngine('auto', options);
  await engine.close();
  return { ...engine.facts, fallback };
}

function devicesTable({ platform, engines, auto }: DevicesReport, width: number): string {
  const lines = [
    `Engines of this machine (${platform})`,
    `--engine auto takes ${printable(`${engineText(auto, auto.fallback)}: ${adapterText(auto)}`)}`,
    ...engines.flatMap((engine) => ['', ...deviceLines(engine, isAuto(engine, auto), width)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether the engine is the one that `auto` takes. Adapters are compared, as two drivers may give the same runtime. */
function isAuto(engine: DeviceFacts, auto: EngineFacts): boolean {
  return (
    engine.isAvailable &&
    engine.name === auto.name &&
    JSON.stringify(engine.facts.adapter) === JSON.stringify(auto.adapter)
  );
}

function deviceLines(engine: DeviceFacts, isTaken: boolean, width: number): string[] {
  const title = printable(engine.detail === '' ? engine.name : `${engine.name}, ${engine.detail}`);
  if (!engine.isAvailable) return [`${title}: not available: ${printable(engine.reason)}`];
  const { facts, adapter } = engine;
  const lines = [
    ['runs on', facts.runtime],
    ['adapter', adapterText(facts)],
  ];
  if (adapter) {
    lines.push(['features', adapter.features.join(', ') || 'none']);
    lines.push([
      'limits',
      Object.entries(adapter.limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ]);
  }
  return [
    isTaken ? `${title} (auto)` : title,
    ...lines.flatMap(([label, text]) =>
      labelled(label, printable(text), width - 2, LABEL_WIDTH).map((line) => `  ${line}`),
    ),
  ];
}
