/**
 * Trees of meshes beside each other and beside three-mesh-bvh and Rapier, on one thread:
 *
 *     node scripts/run-ts.mjs bench/experiments/mesh-trees/build.ts
 *     node dist-bench/mesh-trees.mjs [--poses 1000] [--rounds 7] > bench/results/mesh-trees.md
 *
 * Each model meets itself in seeded poses, at distances at which a given share of the poses intersects. Answers are compared
 * first. Rounds alternate between the ways, and times are processor times.
 */
import { parseArgs } from 'node:util';
import { describeMachine } from '../../machine.ts';
import { table } from '../../markdown.ts';
import { generatorText } from '../../revision.ts';
import { PEERS_HEAD, peerRows } from './compare-peers.ts';
import { distanceRows, intersectionRows, pairRows, TREES_HEAD, type NamedMesh } from './compare-trees.ts';
import { loadModel, type ModelName } from './models.ts';
import { openPeers } from './peers.ts';
import { distanceForRate, makePoses } from './poses.ts';
import { BUILD_HEAD, buildRows, buildTree, KINDS } from './trees.ts';

const { values } = parseArgs({
  options: { poses: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '7' } },
});
const POSES = Number(values.poses);
const ROUNDS = Number(values.rounds);
const SEED = 20_261_125;
/** Shares of the poses that intersect. */
const RATES = [0.05, 0.5, 0.95];
const MODELS: readonly ModelName[] = ['teapot', 'bunny', 'dragon 48k'];
/** Models whose trees are built, but which meet nothing: how the time of building grows. */
const BUILT: readonly ModelName[] = ['dragon 11k', 'dragon 203k', 'dragon 871k'];
/** Pairs and distances are those of the first poses. */
const FEW = Math.min(POSES, 100);

const building = [...MODELS, ...BUILT].flatMap((name) => buildRows(name, loadModel(name)));
const intersections: string[][] = [];
const pairs: string[][] = [];
const distances: string[][] = [];
const peers: string[][] = [];

for (const name of MODELS) {
  const mesh = loadModel(name);
  const meshes = KINDS.map((kind): NamedMesh => ({ ...mesh, kind, tree: buildTree(kind, mesh) }));
  const own = meshes.find(({ kind }) => kind === 'OBB')!;
  for (const rate of RATES) {
    const poses = makePoses(POSES, distanceForRate(own, rate, POSES, SEED), SEED);
    const few = poses.slice(0, FEW);
    const heading = [name, `${Math.round(100 * rate)} %`];
    const headed = (rows: string[][]): string[][] => rows.map((row) => [...heading, ...row]);
    intersections.push(...headed(intersectionRows(meshes, poses, ROUNDS)));
    pairs.push(...headed(pairRows(meshes, few, ROUNDS)));
    distances.push(...headed(distanceRows(meshes, few, ROUNDS)));
    peers.push(...headed(peerRows(own, poses, await openPeers(mesh, poses), ROUNDS)));
    console.error(heading.join(', '));
  }
}

const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
console.log(`# Trees of meshes

\`node dist-bench/mesh-trees.mjs\`, ${new Date().toISOString().slice(0, 10)}; ${generatorText()}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Other work at the end: ${loadAtStart} processes. It lengthens processor times through the shared caches

Each model meets itself in ${POSES.toLocaleString('en')} seeded poses. The distance of the positions is the one at which the
given share of the poses intersects; the models' size is 1. Times are processor times of one thread, medians of rounds that
alternate between the rows of a group. Pairs and distances are those of the first ${FEW} poses.

- *aligned*: boxes along the axes of the mesh; 6 axes are tested.
- *OBB*: the same cut of the triangles, and a box with axes of its own for each node; 10 axes are tested. It is the default.
- *OBB, the paper's cut*: triangles are cut at the mean along the longest axis of the box (Gottschalk, Lin, Manocha, 1996).

## Building

${table(BUILD_HEAD, building).join('\n')}

N_b and N_n are tests of boxes and of triangles per pose; C_b and C_n are what one takes. C_n is measured on the same tests
alone, and C_b is the rest of the time divided by N_b.

## Whether two meshes intersect

${table(TREES_HEAD, intersections).join('\n')}

## All pairs of triangles that intersect

${table(TREES_HEAD, pairs).join('\n')}

## Distance

${table(
  TREES_HEAD.filter((head) => !head.startsWith('C_')),
  distances,
).join('\n')}

## Peers

Ours is the OBB-tree. three-mesh-bvh has trees by the surface-area heuristic. Rapier computes in f32; \`contactCollider\`,
which finds the deepest contact, is its only query in JavaScript between two meshes that keeps their trees. An answer is
another one if the truth value differs, or the distance by more than 1e-5.

${table(PEERS_HEAD, peers, [4, 5, 6]).join('\n')}
`);
