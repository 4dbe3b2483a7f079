/** What both reports are made of. */

import type { Differences } from './compare.ts';
import type { Slack } from './peer.ts';

/** Facts about a run. */
export interface Context {
  command: string;
  date: string;
  machine: string;
  adapter: string;
  seconds: number;
}

export function contextText({ command, date, machine, adapter, seconds }: Context): string {
  return `\`${command}\`, ${date}, ${seconds.toFixed(0)} s

- Machine: ${machine}
- Adapter: ${adapter}`;
}

export function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function below(values: Differences, share: number): string {
  return values.length === 0 ? '' : values[Math.floor(share * (values.length - 1))].toExponential(1);
}

export function slackText({ absolute, relative, ofDistance }: Slack): string {
  const parts = [
    `${short(absolute)} m`,
    `${short(relative)} of the size`,
    ...(ofDistance > 0 ? [`${short(ofDistance)} of the distance`] : []),
  ];
  return parts.join(' + ');
}

export function sum<Row>(rows: readonly Row[], value: (row: Row) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}

export function short(value: number): string {
  return value.toExponential();
}
