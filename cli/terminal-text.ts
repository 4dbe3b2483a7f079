/** Formats text for a terminal: line breaks, columns, numbers, names of engines and adapters. */

import type { EngineFacts } from '../verification/engines/engine.ts';

/** A label with its text, wrapped at spaces to `width` columns. The text starts at column `labelWidth + 2`. */
export function labelled(label: string, text: string, width: number, labelWidth: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + 1 + word.length > width - labelWidth - 2) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${(i === 0 ? label : '').padEnd(labelWidth)}  ${line}`.trimEnd());
}

/** Pads cells to columns with two spaces between them. The first column is left-aligned, the others right-aligned. */
export function aligned(rows: readonly string[][]): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((width, row) => Math.max(width, row[column].length), 0));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats an integer with commas between groups of three digits. */
export function integer(n: number): string {
  return n.toLocaleString('en-US');
}

/** `1 box`, `2,000 boxes`, `3 meshes`. */
export function counted(n: number, noun: string): string {
  if (n === 1) return `1 ${noun}`;
  if (noun.endsWith('y')) return `${integer(n)} ${noun.slice(0, -1)}ies`;
  return `${integer(n)} ${noun}${/(?:x|sh)$/.test(noun) ? 'es' : 's'}`;
}

/** The width of a report in columns: the width of the terminal, but at least 80 and at most 100. */
export function terminalWidth(): number {
  return Math.min(100, Math.max(80, process.stdout.columns ?? 100));
}

/** Engine and runtime, and why `auto` fell back to the CPU if it did. */
export function engineText({ name, runtime }: Pick<EngineFacts, 'name' | 'runtime'>, fallback: string | null): string {
  return `${name} on ${runtime}${fallback === null ? '' : `, since there is no WebGPU: ${fallback}`}`;
}

/** Describes an adapter by the information that it reports. */
export function adapterText({ name, backend, adapter }: Pick<EngineFacts, 'name' | 'backend' | 'adapter'>): string {
  const { vendor, architecture, description, isSoftware } = adapter;
  const told = [vendor, architecture, description].filter(Boolean).join(', ');
  if (backend === 'cpu') return told;
  const teller = name === 'dawn' ? 'the driver' : 'the browser';
  // An adapter that reports nothing may be software even if it is not marked as such.
  const kind = isSoftware ? 'software' : told === '' ? `hardware or software: not told by ${teller}` : 'hardware';
  return `${told || `not told by ${teller}`} (${kind})`;
}

/** Makes text of a scene or a driver safe for a terminal: control, format and line-break characters become `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
