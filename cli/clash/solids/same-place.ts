import { slackOf } from './protrusion.ts';
import { reachOf, type Solid } from './solid.ts';

/** Whether bodies of one shape differ in pose by no more than the limit. Quick for copies of curved and large shapes. */
export function isSamePlace(a: Solid, b: Solid, limit: number): boolean {
  if (a.shape !== b.shape || a.scale !== b.scale) return false;
  let turn = 0;
  for (let i = 0; i < 9; i++) turn += (a.rotation[i] - b.rotation[i]) ** 2;
  const moved = Math.hypot(a.position.x - b.position.x, a.position.y - b.position.y, a.position.z - b.position.z);
  return moved + Math.sqrt(turn) * reachOf(a) <= limit + slackOf(a, b);
}
