/**
 * Poses of the bunny against itself on the CPU and by three-mesh-bvh:
 *
 *     node scripts/run-ts.mjs bench/experiments/mesh-search.ts [--poses 200] [--repeats 5] > bench/results/mesh.md
 *
 * Rounds alternate between the subjects, and times are processor time of all threads of the process. Numbers of hits are
 * compared first.
 */
import { parseArgs } from 'node:util';
import { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { createTester } from '../../src/node.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { describeMachine } from '../machine.ts';
import { digits, table } from '../markdown.ts';
import { makeBunny, makePoses } from '../mesh/workload.ts';
import { generatorText } from '../revision.ts';
import { median } from '../../verification/statistics/median.ts';

const { values } = parseArgs({
  options: { poses: { type: 'string', default: '200' }, repeats: { type: 'string', default: '5' } },
});
const POSES = Number(values.poses);
const REPEATS = Number(values.repeats);
const SEED = 1;
const LEVELS = [0, 2];

/** A body's matrix. */
function matrixOf({ positions, quaternions }: PosedBodies, body: number): Matrix4 {
  const position = new Vector3().fromArray(positions as unknown as number[], 3 * body);
  const quaternion = new Quaternion().fromArray(quaternions as unknown as number[], 4 * body);
  return new Matrix4().compose(position, quaternion.normalize(), new Vector3(1, 1, 1));
}

/** What the package's types leave out. */
interface Bvh {
  intersectsGeometry(geometry: BufferGeometry, toThis: Matrix4): boolean;
  bvhcast(
    other: Bvh,
    toThis: Matrix4,
    callbacks: { intersectsTriangles(a: PeerTriangle, b: PeerTriangle): boolean },
  ): boolean;
}
interface PeerTriangle {
  intersectsTriangle(other: PeerTriangle, target: null, suppressLog: boolean): boolean;
}

interface Subject {
  intersects(): Promise<number>;
  trianglePairs(): Promise<number>;
}

function peer(mesh: ReturnType<typeof makeBunny>, bodies: PosedBodies): Subject {
  const [a, b] = [0, 1].map(() => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
    geometry.setIndex(new BufferAttribute(mesh.indices.slice(), 1));
    const tree = new MeshBVH(geometry) as unknown as Bvh;
    Object.assign(geometry, { boundsTree: tree });
    return { geometry, tree };
  });
  // From B's frame to A's.
  const placements = Array.from({ length: POSES }, (_, pair) =>
    matrixOf(bodies, 2 * pair)
      .invert()
      .multiply(matrixOf(bodies, 2 * pair + 1)),
  );
  return {
    async intersects() {
      return placements.reduce((sum, toA) => sum + Number(a.tree.intersectsGeometry(b.geometry, toA)), 0);
    },
    async trianglePairs() {
      let count = 0;
      for (const toA of placements) {
        a.tree.bvhcast(b.tree, toA, {
          intersectsTriangles(first, second) {
            if (first.intersectsTriangle(second, null, true)) count++;
            return false;
          },
        });
      }
      return count;
    },
  };
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rows: string[][] = [];
for (const levels of LEVELS) {
  const mesh = makeBunny(levels);
  const { bodies, pairs } = makePoses(POSES, SEED);
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  tester.addShape({ type: 'mesh', ...mesh });
  const own: Subject = {
    intersects: async () => (await tester.intersects(bodies, pairs)).hits,
    trianglePairs: async () =>
      (await tester.trianglePairs(bodies, pairs, { fields: ['triangleA', 'triangleB'] })).count,
  };
  const subjects = { own, peer: peer(mesh, bodies) };
  const names = ['own', 'peer'] as const;
  for (const query of ['intersects', 'trianglePairs'] as const) {
    const found: number[] = [];
    for (const name of names) found.push(await subjects[name][query]());
    const { boxTests, partTests } = tester.timings.tree;
    const times: Record<keyof typeof subjects, number[]> = { own: [], peer: [] };
    for (let round = 0; round < REPEATS; round++)
      for (const name of names) times[name].push(await processorMs(subjects[name][query]));
    const perPose = (name: keyof typeof subjects): string => digits((1000 * median(times[name])) / POSES);
    rows.push([
      (mesh.indices.length / 3).toLocaleString('en-US'),
      query,
      found.map((count) => count.toLocaleString('en-US')).join(', '),
      `${digits(boxTests / POSES)}, ${digits(partTests / POSES)}`,
      ...names.map(perPose),
      digits(median(times.peer.map((ms, i) => ms / times.own[i]))),
    ]);
  }
  tester.dispose();
}

const date = new Date().toISOString().slice(0, 10);
const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
console.log(`# Meshes on the CPU and by three-mesh-bvh

\`node scripts/run-ts.mjs bench/experiments/mesh-search.ts\`, ${date}; ${generatorText()}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Other work at the end: ${loadAtStart} processes. Through the shared caches it lengthens processor times

${POSES} poses of the bunny against itself (npm \`bunny\`, subdivided by Loop's scheme for the larger mesh; seed ${SEED}).
Processor time of all threads per pose, in microseconds: medians of ${REPEATS} rounds, in which the subjects alternate. Trees are
built before. \`trianglePairs\` gives the numbers of the triangles; three-mesh-bvh counts them in \`bvhcast\`. *Tests*: of boxes and
of triangles, per pose, of narrowphase. *Ratio*: the time of three-mesh-bvh over that of narrowphase.

- *found*: pairs of bodies or of triangles that intersect, by narrowphase and three-mesh-bvh
- three-mesh-bvh has its default options

${table(['triangles', 'query', 'found', 'tests', 'narrowphase', 'three-mesh-bvh', 'ratio'], rows, [0, 3, 4, 5, 6]).join(
  '\n',
)}
`);
