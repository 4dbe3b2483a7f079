/** The default tree beside peers: answers first, then times. */
import { digits } from '../../markdown.ts';
import { alternate } from './clock.ts';
import { distanceOf, intersects, type NamedMesh } from './compare-trees.ts';
import type { Peer, Peers } from './peers.ts';
import type { Pose } from './poses.ts';

export const PEERS_HEAD = [
  'model',
  'poses that intersect',
  'question',
  'by',
  'µs per pose',
  'times ours',
  'other answers',
];

/** Distances that differ by more are other answers. */
const TOLERANCE = 1e-5;

/** Poses of which peers give the distance: they take up to a second for one. */
const MOST_DISTANCES = 50;

/** Rows, from the question on. */
export function peerRows(mesh: NamedMesh, poses: readonly Pose[], peers: Peers, rounds: number): string[][] {
  const all = [...poses.keys()];
  const hits = poses.map((pose) => intersects(mesh, pose));
  const meet: Peer = { name: 'ours', ask: (pose) => intersects(mesh, poses[pose]) };
  const measure: Peer = { name: 'ours', ask: (pose) => distanceOf(mesh, poses[pose]) };
  const together = all.filter((pose) => hits[pose]);
  const apart = all.filter((pose) => !hits[pose]).slice(0, MOST_DISTANCES);
  return [
    ...rowsOf('any pair? all poses', [meet, ...peers.intersects], all, Math.min(rounds, 3)),
    ...rowsOf('any pair? poses that intersect', [meet, ...peers.intersects], together, Math.min(rounds, 3)),
    ...rowsOf(`distance, of ${apart.length} poses that are apart`, [measure, ...peers.distance], apart, 1),
  ];
}

function rowsOf(question: string, answerers: readonly Peer[], poses: readonly number[], rounds: number): string[][] {
  if (poses.length === 0) return [];
  const own = poses.map(answerers[0].ask);
  const others = answerers.map(({ ask }) => poses.filter((pose, i) => !isSame(ask(pose), own[i])).length);
  const times = alternate(
    answerers.map(
      ({ ask }) =>
        () =>
          poses.forEach((pose) => void ask(pose)),
    ),
    rounds,
    1,
  );
  return answerers.map(({ name }, i) => [
    question,
    name,
    digits((1000 * times[i]) / poses.length),
    digits(times[i] / times[0]),
    i === 0 ? '' : `${others[i]} of ${poses.length}`,
  ]);
}

function isSame(a: number | boolean, b: number | boolean): boolean {
  return typeof a === 'boolean' ? a === b : Math.abs(a - Number(b)) <= TOLERANCE;
}
