/** What the reports begin with: command, adapter, machine. */

import { digits } from '../markdown.ts';
import type { GpuReport } from './report.ts';

export type Heading = Pick<
  GpuReport,
  'generator' | 'command' | 'date' | 'seconds' | 'machine' | 'adapter' | 'webgpu' | 'openMs' | 'peak' | 'left'
>;

export function heading({
  generator,
  command,
  date,
  seconds,
  machine,
  adapter,
  webgpu,
  openMs,
  peak,
  left,
}: Heading): string[] {
  const rates = ({ bandwidth, instructions }: typeof peak.measured): string =>
    `${digits(bandwidth / 1e12)} TB/s and ${digits(instructions / 1e12)} T instructions/s`;
  const names = [adapter.vendor, adapter.architecture, adapter.device, adapter.description];
  return [
    `\`${command}\` of ${generator} on ${date}, in ${seconds} s.`,
    '',
    `- Adapter: ${names.filter(Boolean).join(', ')}${adapter.isSoftware ? ' (software)' : ''}; ` +
      `driver ${adapter.driver}; opened in ${digits(openMs)} ms`,
    `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB; ${machine.os}; Node ` +
      `${machine.node}; Dawn of webgpu ${webgpu}; load at the start ${machine.loadAtStart}`,
    `- Peak: ${peak.known ? `${rates(peak.known)} by its data sheet; ` : ''}${rates(peak.measured)} measured ` +
      `by a copy and by multiply-adds${peak.known ? '' : ', which limits are made of'}`,
    ...(left.length > 0 ? [`- No time was left for ${left.join(', ')}`] : []),
  ];
}
