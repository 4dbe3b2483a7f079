/** Counts of tests that `npm run test:night` runs on many more items than a pull request does. */
export function atNight(count: number, countAtNight: number): number {
  return process.env.NIGHT ? countAtNight : count;
}
