/** Formats text for people: names, numbers, and lines for a terminal of limited width. */

import type { EngineFacts } from '../../verification/engines/engine.ts';

/** A label and its text, broken at spaces to fit `width`; the text starts at column `labelWidth + 2`. */
export function labelled(label: string, text: string, width: number, labelWidth: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + 1 + word.length > width - labelWidth - 2) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${(i === 0 ? label : '').padEnd(labelWidth)}  ${line}`.trimEnd());
}

/** Cells in columns two spaces apart. The first column is aligned left, the others right. */
export function aligned(rows: readonly string[][]): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((width, row) => Math.max(width, row[column].length), 0));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

/** With a comma between groups of three digits. */
export function integer(n: number): string {
  return n.toLocaleString('en-US');
}

/** `1 box`, `2,000 boxes`. */
export function counted(n: number, noun: string): string {
  if (n === 1) return `1 ${noun}`;
  if (noun.endsWith('y')) return `${integer(n)} ${noun.slice(0, -1)}ies`;
  return `${integer(n)} ${noun}${noun.endsWith('x') ? 'es' : 's'}`;
}

/** The width that a report may use: the terminal's, limited to a readable range. */
export function terminalWidth(): number {
  return Math.min(100, Math.max(80, process.stdout.columns ?? 100));
}

/** The engine's name and adapter. If `auto` fell back to it, also the reason. */
export function engineText({ name, runtime }: Pick<EngineFacts, 'name' | 'runtime'>, fallback: string | null): string {
  return `${name} on ${runtime}${fallback === null ? '' : `, since there is no WebGPU: ${fallback}`}`;
}

/** An adapter, described by the facts that it reports. */
export function adapterText({ name, backend, adapter }: Pick<EngineFacts, 'name' | 'backend' | 'adapter'>): string {
  const { vendor, architecture, description, isSoftware } = adapter;
  const told = [vendor, architecture, description].filter(Boolean).join(', ');
  if (backend === 'cpu') return told;
  const teller = name === 'dawn' ? 'the driver' : 'the browser';
  // An adapter that reports nothing and doesn't call itself software may be either.
  const kind = isSoftware ? 'software' : told === '' ? `hardware or software: not told by ${teller}` : 'hardware';
  return `${told || `not told by ${teller}`} (${kind})`;
}
