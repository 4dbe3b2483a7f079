/**
 * Rays at one mesh: a tester's CPU backend beside three-mesh-bvh, on one thread:
 *
 *     node scripts/run-ts.mjs bench/experiments/mesh-rays/build.ts
 *     node dist-bench/mesh-rays.mjs [--rays 2000] [--rounds 15] > bench/results/mesh-rays.md
 *
 * Answers are compared first. Rounds alternate between the ways, and times are processor times.
 */
import { parseArgs } from 'node:util';
import { BufferAttribute, BufferGeometry, DoubleSide, Ray } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { Bodies, ResidentBodies, Tester } from '../../../src/api/types.ts';
import type { Triangles } from '../../../src/bvh/build-tree.ts';
import { createTester } from '../../../src/index.ts';
import { createRandom, unitVector, uniform } from '../../../verification/families/random.ts';
import { median } from '../../../verification/statistics/median.ts';
import { describeMachine } from '../../machine.ts';
import { digits, table } from '../../markdown.ts';
import { makeBunny } from '../../mesh/workload.ts';
import { generatorText } from '../../revision.ts';

const { values } = parseArgs({
  options: { rays: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '15' } },
});
const RAYS = Number(values.rays);
const ROUNDS = Number(values.rounds);
const SEED = 20_261_127;
/** Rounds before the first that counts. */
const WARM_UP = 3;

/** A sheet of so many squares a side with hills, as a landscape. */
function makeLandscape(side: number): Triangles {
  const positions = new Float64Array(3 * (side + 1) ** 2);
  const indices = new Uint32Array(6 * side ** 2);
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) {
      const [x, z] = [i / side - 0.5, j / side - 0.5];
      const height = 0.1 * Math.sin(17 * x) * Math.cos(13 * z) + 0.02 * Math.sin(71 * x + 53 * z);
      positions.set([x, height, z].map(Math.fround), 3 * (i * (side + 1) + j));
    }
  }
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const corner = i * (side + 1) + j;
      const next = corner + side + 1;
      indices.set([corner, corner + 1, next, corner + 1, next + 1, next], 6 * (i * side + j));
    }
  }
  return { positions, indices };
}

interface RayArrays {
  origins: Float32Array;
  directions: Float32Array;
}

/** Rays from a sphere around the mesh at points near its middle; some miss it. */
function makeRays(): RayArrays {
  const random = createRandom(SEED);
  const rays = { origins: new Float32Array(3 * RAYS), directions: new Float32Array(3 * RAYS) };
  for (let ray = 0; ray < RAYS; ray++) {
    const from = Array.from(unitVector(random, [0, 0, 0]), (x) => 2 * x);
    const to = [0, 1, 2].map(() => uniform(random, -0.4, 0.4));
    const direction = to.map((x, k) => x - from[k]);
    const length = Math.hypot(...direction);
    rays.origins.set(from, 3 * ray);
    rays.directions.set(
      direction.map((x) => x / length),
      3 * ray,
    );
  }
  return rays;
}

/** Writes when each ray meets the mesh; Infinity if it does not. */
type Way = (times: Float32Array) => Promise<void> | void;

function peerWay(mesh: Triangles, { origins, directions }: RayArrays): Way {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
  geometry.setIndex(new BufferAttribute(mesh.indices.slice(), 1));
  const tree = new MeshBVH(geometry);
  const ray = new Ray();
  return (times) => {
    for (let i = 0; i < RAYS; i++) {
      ray.origin.fromArray(origins, 3 * i);
      ray.direction.fromArray(directions, 3 * i);
      times[i] = tree.raycastFirst(ray, DoubleSide)?.distance ?? Infinity;
    }
  };
}

function together(tester: Tester, bodies: Bodies | ResidentBodies, rays: RayArrays): Way {
  return async (times) => {
    times.set((await tester.rayCasts(bodies, rays)).time);
  };
}

function oneByOne(tester: Tester, bodies: Bodies | ResidentBodies, { origins, directions }: RayArrays): Way {
  return async (times) => {
    for (let i = 0; i < RAYS; i++) {
      const ray = {
        origins: origins.subarray(3 * i, 3 * i + 3),
        directions: directions.subarray(3 * i, 3 * i + 3),
      };
      times[i] = (await tester.rayCasts(bodies, ray)).time[0];
    }
  };
}

function processorMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The greatest difference of two times of a ray, and how many rays only one of both hits. */
function compare(a: Float32Array, b: Float32Array): { farthest: number; differing: number } {
  let farthest = 0;
  let differing = 0;
  for (let i = 0; i < RAYS; i++) {
    if (a[i] < Infinity !== b[i] < Infinity) differing++;
    else if (a[i] < Infinity) farthest = Math.max(farthest, Math.abs(a[i] - b[i]));
  }
  return { farthest, differing };
}

async function rowsOf(name: string, mesh: Triangles): Promise<string[][]> {
  const rays = makeRays();
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  const id = tester.addShape({ type: 'mesh', positions: mesh.positions, indices: mesh.indices });
  const bodies = {
    shapes: Uint32Array.of(id),
    positions: new Float32Array(3),
    quaternions: Float32Array.of(0, 0, 0, 1),
  };
  const ways: Record<string, Way> = {
    'three-mesh-bvh': peerWay(mesh, rays),
    'all rays in a call': together(tester, bodies, rays),
    'a call per ray, of a handle': oneByOne(tester, tester.createBodies(bodies), rays),
    'a call per ray': oneByOne(tester, bodies, rays),
  };
  const times = new Map(Object.keys(ways).map((way) => [way, new Float32Array(RAYS)]));
  const spent = new Map(Object.keys(ways).map((way): [string, number[]] => [way, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [way, cast] of Object.entries(ways)) {
      const start = processorMicroseconds();
      await cast(times.get(way)!);
      if (round >= WARM_UP) spent.get(way)!.push((processorMicroseconds() - start) / RAYS);
    }
  }
  tester.dispose();
  const theirs = times.get('three-mesh-bvh')!;
  const hits = theirs.filter((time) => time < Infinity).length;
  const ofPeer = spent.get('three-mesh-bvh')!;
  return Object.keys(ways).map((way) => {
    const { farthest, differing } = compare(times.get(way)!, theirs);
    const ratio = median(ofPeer.map((time, round) => time / spent.get(way)![round]));
    return [
      name,
      String(mesh.indices.length / 3),
      way,
      `${((100 * hits) / RAYS).toFixed(0)} %`,
      String(differing),
      farthest.toExponential(0),
      digits(median(spent.get(way)!)),
      digits(ratio),
    ];
  });
}

const rows = [
  ...(await rowsOf('bunny', makeBunny(0))),
  ...(await rowsOf('landscape', makeLandscape(100))),
  ...(await rowsOf('bunny, subdivided', makeBunny(2))),
];
const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
const HEAD = ['mesh', 'triangles', 'way', 'hits', 'only one hits', 'greatest difference', 'µs per ray', 'ratio'];
console.log(`# Rays at a mesh

${generatorText()}

${cpu}, ${cores} cores, ${memoryGiB} GiB, ${os}, Node ${node}; load at the start ${loadAtStart}. ${RAYS} rays, seed ${SEED},
from a sphere of radius 2 at points near the middle of a mesh of size 1. Medians of ${ROUNDS} rounds that alternate between
the ways, in processor time. _Ratio_: the time of three-mesh-bvh over that of the way, in the same round. _Greatest
difference_: of the times of a ray by the way and by three-mesh-bvh.

${table(HEAD, rows, [1, 3, 4, 5, 6, 7]).join('\n')}
`);
