/** A progress line on a terminal. */

import { integer } from './terminal-text.ts';

export interface Progress {
  /** Work done so far, of `total`. */
  update(done: number): void;
  /** Removes the line. */
  end(): void;
}

const QUIET: Progress = { update() {}, end() {} };
/** Shorter work shows no line. */
const PATIENCE_MS = 500;
const INTERVAL_MS = 100;

/**
 * Shows `label`, the share that is done and a speed in `unit` per second. Shows nothing if `stream` is not a terminal.
 */
export function startProgress(
  label: string,
  total: number,
  unit: string,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  if (!stream.isTTY || total === 0) return QUIET;
  const start = performance.now();
  let shown = -Infinity;
  return {
    update(done) {
      const now = performance.now();
      if (now - start < PATIENCE_MS || now - shown < INTERVAL_MS) return;
      shown = now;
      const share = Math.floor((100 * done) / total);
      const speed = (1000 * done) / (now - start);
      const left = done > 0 ? Math.ceil((total - done) / speed) : 0;
      const rate = speed < 100 ? speed.toPrecision(2) : integer(Math.round(speed));
      const text = `${label}: ${share} % of ${integer(total)} ${unit}, ${rate} a second, ${left} s left`;
      // A terminal of unknown width reports 0 columns.
      stream.write(`\r\u001b[2K${text.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
    },
    end() {
      if (shown > -Infinity) stream.write('\r\u001b[2K');
    },
  };
}
