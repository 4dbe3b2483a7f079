/** Judges whole answers: by the reference in 3-D, and by the CPU backend in 2-D, for parts and for what is no list of pairs. */

import { NO_BODY, Status } from '../../src/api/types.ts';
import { below } from '../families/random.ts';
import { contradictions, toleranceOf } from './compare.ts';
import { pairFaults, type Columns, type Judged } from './judge-pairs.ts';
import type { Block } from './block.ts';
import { haveParts, type Scene } from './scene.ts';

/** Most pairs of an answer that are judged: motions with rotations take the reference long. */
const MOST_JUDGED = { pairs: 24, turning: 4 };

/** What is wrong with an answer that has a slot per pair. */
export async function judgeAnswer(block: Block, answer: Columns, judged: Judged): Promise<string[]> {
  const { axes, random, cpu } = block;
  const { way, scene, margin = 0 } = judged;
  const count = scene.pairs.length / 2;
  const total = (answer.statusCounts as unknown as number[]).reduce((sum, n) => sum + n, 0);
  const faults =
    total === count && answer.count === count ? [] : [`there are ${answer.count} slots, and ${total} statuses`];
  if (axes === 2 || haveParts(way.types)) {
    if (way.query === 'impacts') return [...faults, ...(await impactFaults(block, answer, judged))];
    const valid = Array.from({ length: count }, (_, pair) => pair).filter(
      (pair) => Math.max(scene.pairs[2 * pair], scene.pairs[2 * pair + 1]) < scene.bodies.shapes.length,
    );
    if (valid.length < count) return faults;
    const truth = (await cpu.contacts(scene.bodies as never, scene.pairs, { margin: Infinity })) as never;
    return [...faults, ...contradictions(answer, truth, way, scene, margin)];
  }
  const most = way.isTurning ? MOST_JUDGED.turning : MOST_JUDGED.pairs;
  const chosen = Array.from({ length: Math.min(most, count) }, (_, i) => (count <= most ? i : below(random, count)));
  return [...faults, ...pairFaults(answer, { ...judged, chosen })];
}

/** Bodies that touch at the time of their impact; none that overlap deeply and are said to miss. */
async function impactFaults({ cpu }: Block, answer: Columns, judged: Judged): Promise<string[]> {
  const { scene, margin = 0, duration = 0, way } = judged;
  const options = { duration, margin, stopAtPenetration: way.stopAtPenetration };
  const scales = scene.bodies.scales ?? new Float32Array(scene.bodies.shapes.length).fill(1);
  const smaller = { ...scene.bodies, scales: scales.map((scale) => 0.99 * scale) };
  const ask = cpu.impacts as unknown as (...given: unknown[]) => Promise<Columns>;
  // A query, unlike a batch, refuses indices that are out of range.
  const pairs = scene.pairs.map((body) => Math.min(body, scene.bodies.shapes.length - 1));
  const [truth, less] = [await ask(scene.bodies, pairs, options), await ask(smaller, pairs, options)];
  const faults: string[] = [];
  for (let pair = 0; pair < answer.count; pair++) {
    const [a, b] = [scene.pairs[2 * pair], scene.pairs[2 * pair + 1]];
    const [found, expected, inner] = [answer, truth, less].map((each) => each.status[pair]);
    if (Math.max(a, b) >= scene.bodies.shapes.length || [found, expected].includes(Status.NotConverged)) continue;
    if (
      found !== Status.Overlapping &&
      inner === Status.Overlapping &&
      expected === Status.Overlapping &&
      way.stopAtPenetration
    )
      faults.push(`pair ${pair} has status ${found}, and meets at ${truth.time[pair]}`);
    if (found === Status.Overlapping && expected === Status.Overlapping) {
      const early = Math.min(truth.time[pair], answer.time[pair]);
      if (answer.time[pair] - early > 1e-3 && less.time[pair] < answer.time[pair])
        faults.push(`pair ${pair} meets at ${answer.time[pair]}, by the CPU at ${truth.time[pair]}`);
    }
  }
  return faults;
}

/** Pairs have to be those of the CPU, apart from boxes that touch to the tolerance. */
export async function judgePairsFound(
  { cpu }: Block,
  found: Uint32Array,
  { bodies }: Scene,
  options: { margin: number; duration?: number },
): Promise<string[]> {
  const slack = 1e-3 + (bodies.positions instanceof Float64Array ? 1e-2 : 0);
  const find = async (margin: number): Promise<string[]> =>
    keysOf(await cpu.findPairs(bodies as never, { ...options, margin } as never));
  const mine = keysOf(found);
  const most = new Set(await find(options.margin + slack));
  const known = new Set(mine);
  const faults = mine.filter((key) => !most.has(key)).map((key) => `the pair ${key} is there`);
  if (options.margin > slack)
    for (const key of await find(options.margin - slack))
      if (!known.has(key)) faults.push(`the pair ${key} is missing`);
  return faults;
}

function keysOf(pairs: Uint32Array): string[] {
  return Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]}, ${pairs[2 * i + 1]}`);
}

/** Rays have to end between those with a little larger and a little smaller radius. */
export async function judgeRays(
  { cpu, shapes }: Block,
  found: Columns,
  { bodies }: Scene,
  rays: Record<string, Float32Array>,
): Promise<string[]> {
  const slack = 10 * toleranceOf({ types: shapes.map(({ type }) => type) });
  const cast = async (by: number): Promise<Columns> =>
    (await cpu.rayCasts(
      bodies as never,
      { ...rays, radii: rays.radii.map((r) => Math.max(0, r + by)) } as never,
    )) as never;
  const [larger, smaller] = [await cast(slack), await cast(-slack)];
  const faults: string[] = [];
  for (let ray = 0; ray < found.count; ray++) {
    if ([found, larger, smaller].some(({ status }) => status[ray] === Status.NotConverged)) continue;
    const time = found.time[ray];
    const room = 1e-5 * Math.max(1, smaller.time[ray] < Infinity ? smaller.time[ray] : 0) + 1e-5;
    if (!(time >= larger.time[ray] - room && time <= smaller.time[ray] + room))
      faults.push(`ray ${ray} ends at ${time}, expected ${larger.time[ray]} to ${smaller.time[ray]}`);
    if ((time === Infinity) !== (found.body[ray] === NO_BODY))
      faults.push(`ray ${ray} ends at ${time} on body ${found.body[ray]}`);
  }
  return faults.slice(0, 5);
}
