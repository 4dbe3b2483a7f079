/** Progress on standard error. */

/** Writes lines with the seconds since `start`, on the clock of `performance.now`. */
export function createLog(start: number): (line: string) => void {
  return (line) => console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${line}`);
}
