/** Processor times of several ways to do the same. */
import { median } from '../../../verification/statistics/median.ts';

/** Milliseconds of processor time. */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Medians of each way's times, one round of all ways after the other. The `unmeasured` rounds before are not counted. */
export function alternate(ways: readonly (() => void)[], rounds: number, unmeasured: number): number[] {
  const times: number[][] = ways.map(() => []);
  for (let round = -unmeasured; round < rounds; round++) {
    for (const [i, run] of ways.entries()) {
      const time = processorTime(run);
      if (round >= 0) times[i].push(time);
    }
  }
  return times.map(median);
}
