/** Tables of the reports. */

/** `right`: the columns that are aligned to the right; all but the first by default. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = head.map((_, k) => k).slice(1),
): string[] {
  if (rows.length === 0) return [];
  return [tableRow(head), tableRow(head.map((_, k) => (right.includes(k) ? '---:' : '---'))), ...rows.map(tableRow)];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Three digits; whole numbers from 100 on. */
export function digits(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** A number of a JSON report: more digits than that are not known. */
export function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
