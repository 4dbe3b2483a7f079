/** Which door a point of the plan is on. */

import type { Scene } from './scenes.ts';

/** Doors are thin: a click this near to one counts, in metres. */
const REACH = 1.1;

export function doorAt({ doors }: Scene, x: number, y: number): number | undefined {
  const found = doors.findIndex(({ leaves }) => {
    const [[x0, y0], [x1, y1]] = [leaves[0].open, leaves[1].open];
    const [dx, dy] = [x1 - x0, y1 - y0];
    const share = Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0.1), 0.9);
    return Math.hypot(x - x0 - share * dx, y - y0 - share * dy) < REACH;
  });
  return found < 0 ? undefined : found;
}
