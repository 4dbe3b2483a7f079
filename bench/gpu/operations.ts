/**
 * Instructions of a pair, counted by hand from the WGSL as a good compiler could translate it, and what comes of them
 * in lockstep.
 *
 * An add, multiply, fused multiply-add, comparison, selection, minimum, conversion, bit operation, load or store of up
 * to 16 bytes is one instruction on one lane; a division, a square root and its inverse are two (the approximation, and
 * a step or a product). A change of sign and an absolute value are none. So dot 3, cross 6, length 5, normalise 7, a
 * 3x3 matrix times a vector 9. An array access has its load or store and one for its address. It is the least that a
 * GPU has to issue, not what its compiler made of it.
 */

import { createHash } from 'node:crypto';
import { bundles } from '../../src/generated/kernel-table.ts';
import type { Query } from '../throughput/protocol.ts';
import type { Searches } from './cases.ts';

/** What was counted, with the first digits of the SHA-256 of its text then. */
const COUNTED: Readonly<Record<string, string>> = {
  'shared/math': 'c573c279',
  'shared/pair': '4c2fd120',
  'shared/support': 'c09325d3',
  'kernels/load-pair': 'e465c7fb',
  simplex: 'fff90f3c',
  gjk: 'ff4f947d',
  newton: '8c8bb628',
  sat: '3f6a9146',
  epa: '13af7a06',
  'box-manifold': '83f37a4a',
  manifold: 'f6e7d2c7',
  'contact-face': 'c45df5ec',
  polytope: 'af12d6c8',
};

/** Modules that have changed since they were counted. */
export async function changedModules(): Promise<string[]> {
  const loaded = await Promise.all(Object.values(bundles).map((load) => load()));
  const texts = Object.assign({}, ...loaded.map(({ modules }) => modules)) as Record<string, string>;
  return Object.entries(COUNTED).flatMap(([name, digits]) => (digestOf(texts[name]) === digits ? [] : [name]));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * loadPair: pair and ids with checks of their range 14, two poses of two rows 6, two shapes of three rows 8,
 * isValidPose twice 20 (length squared 4, two numbers in their range 6), offset and its finiteness 9, kinds 3.
 * makePair: two quaternions scaled 16, two rotation matrices 60 (2/q² 6, products 12, sums 12), relativeQuaternion 16,
 * unit and its inverse 11, cores 8, translation 12, radii 4.
 */
const LOAD = 60 + 127;

/** separations: three cross products 18; faces of A 12, of B 21; three times edgeSeparations 6 + 36. */
const SAT_SEPARATIONS = 18 + 12 + 21 + 3 * 42;
/** The greatest of 15: 14. Radii, margin and info: 12. */
const SAT_INTERSECTS = SAT_SEPARATIONS + 14 + 12;
/** 14 comparisons of 6 (bias 3, comparison, two selections) and the normal 25. */
const SAT_BEST = SAT_SEPARATIONS + 14 * 6 + 25;
/**
 * faceWitness: axes and sizes 12, incident face 34 (frame 9, B's axes 9, choice 10), centre, p and q 60, four clipEdge
 * of 38, four corners of 20, the point 20. Pairs of a group whose best axis is an edge wait for it.
 */
const SAT_WITNESS = 12 + 34 + 60 + 4 * 38 + 4 * 20 + 20;

/**
 * Choosing the nearer of two normals: three vectors to the world 27, to the caller's unit 6, two points of the surface
 * 20, info 10.
 */
const PLACE = 63;
/**
 * cornerWitness: three times the vertices of A (6) and B (18) and their weighted sums 6. With bounds and the record's
 * rows.
 */
const WITNESS = 3 * 30 + PLACE + 22;

/** Support of one shape and its vertex. A box: three signs, two unions; three selections for the vertex. */
const BOX_SUPPORT = 5 + 6;
/** cellOf 32, rows of the candidates 16, the first candidate 6, the vertex' number 2; its position 6. */
const HULL_SUPPORT = 32 + 16 + 6 + 2 + 6;
/** A hull of at most so many vertices, all of which the kernels try: rows 3, its position 6. */
const SMALL = 12;
const SMALL_SUPPORT = 3 + 6;
/** Row, dot, comparison, two selections, the loop's count and test. */
const CANDIDATE = 2 + 3 + 1 + 2 + 2;
/** Direction into B's frame 9, vertex of B into A's with the translation 9, difference 3, id 2. */
const DIFFERENCE = 23;

/** A point of a guess: whether the pair has such vertices 10, both vertices 12, and the difference. */
const GUESS = 10 + 12 + DIFFERENCE;

/** Start of the Newton search: the nearest point of B 15, in A's frame 9, the vector from A 9. */
const NEWTON_START = 33;
/**
 * Squares and gradient 12, the gain and tests 14, free columns 27, their equations 59 (nine dots, six divisions, 20),
 * cut and mixed 25, the point 18.
 */
const NEWTON_STEP = 155;
/**
 * Free columns 27, perpendicularPart 95 (three units 30, nine projections, normalised 7), supports 30, bounds and skew
 * 25.
 */
const NEWTON_END = 177;

/** The first support, normal and bounds besides the support itself. */
const GJK_START = 30;
/** Tests at the loop's head 6, height 3, holds 8, the bounds and the normal 13. */
const GJK_TEST = 30;
/**
 * append 15; length, idle, bounds and the new normal 13; choosing among edges and faces and building the simplex 112.
 */
const GJK_STEP = 15 + 13 + 112;
/**
 * solveEdge: difference, length, direction 13, nearer end 9, within 4, twice along 12, weight 8, squared distance 3.
 */
const EDGE = 49;
/** solveFace: frame 31, normal and levels 18, weights 9, distances from the edges 16, tests and selections 24. */
const FACE = 98;

/**
 * nearestFace: slots 10 each; there are 2 + 2 i of them in iteration i. planeOf 75 (three corners 13, frame 60),
 * height, phases and the best bound 34.
 */
const epaSearch = (iteration: number): number => 10 * (2 + 2 * iteration) + 75 + 34;
/**
 * expand: findVertex 12 for each of 3 + i vertices. With three faces removed and five edges around them, as is usual:
 * collectVisible 45 a removed face and 87 for each of seven planes, walkHorizon 250, buildFan 136 a new face, the rest
 * 35.
 */
const epaExpand = (iteration: number): number => 12 * (3 + iteration) + 3 * 45 + 7 * 87 + 250 + 5 * 136 + 35;
/**
 * Four vertices of GJK's simplex 180, frame and first faces 100, one expansion of a triangle 930. storeWitness: two
 * triangles 220.
 */
const EPA_START = 180 + 100 + 930 + 220;

/** Features of both boxes: axis, signs and bits. */
const BOX_FEATURES = 2 * 40;
/** Features of a hull: two passes over the vertices of 10 and 11 each, and one over the faces of 9. */
const FEATURE_VERTEX = 21;
const FEATURE_FACE = 9;

/**
 * Up to eight corners: kept 12, compared with half of the others 20, the deepest 3; four chosen 120. Each of up to four
 * points: its place 30, two keys of 30 each.
 */
const CHOICE = 8 * (12 + 20 + 3) + 120 + 4 * 90;
/**
 * Two boxes: frames, offsets and size 76, two faces 75 each. boxManifold: vertices and heights of both 2 x 80, lengths
 * 2 x 12, four edges 4 x 44, candidates 3 x 36 and points along edges 48, which vertices of both faces they are near 3
 * x 2 x 80.
 */
const BOX_MANIFOLD = 76 + 2 * 75 + 2 * 80 + 2 * 12 + 4 * 44 + 3 * 36 + 48 + 6 * 80 + CHOICE;
/**
 * Two hulls: faces by their normals 9 each, and `manifold` for two faces of four vertices: 2 x 4 x 4 borders
 * of 72, four crossings of 60.
 */
const HULL_MANIFOLD = 76 + 2 * 120 + 2 * 16 * 72 + 4 * 60 + CHOICE;

/** A list of a pair: two passes of 14 that classify and count it, and a share of the scans. */
const LIST = 32;
/** A pair's part of the counts. */
const TALLY = 13;
/** Lists before EPA: of the pairs that it is for, and with hulls of those that need more room. */
export const epaLists = (hullShare: number): number => (hullShare > 0 ? 2 : 1);

/** What is to be known of the shapes. */
export interface ShapeCosts {
  /** Share of shapes that are hulls; the others cost about what a box does. */
  hullShare: number;
  /** Candidates of a hull's support: their mean, or the mean over groups of the greatest. */
  candidates: number;
  vertices: number;
  faces: number;
}

/** Operations of one support mapping of B - A. */
function supportOperations({ hullShare, candidates, vertices }: ShapeCosts): number {
  const hull =
    vertices <= SMALL ? SMALL_SUPPORT + CANDIDATE * vertices : HULL_SUPPORT + CANDIDATE * (Math.max(candidates, 1) - 1);
  return 2 * (hullShare * hull + (1 - hullShare) * BOX_SUPPORT) + DIFFERENCE;
}

/**
 * A search of so many supports. The last one only ends it, and the first makes no step: the simplex is an edge in the
 * first step, a triangle with two edges in the second, a tetrahedron with three edges and three faces after that. A
 * warm search has taken the four points of its guess before, in three steps.
 */
export function gjkOperations(supports: number, shapes: ShapeCosts, isWarm: boolean): number {
  const guesses = isWarm ? 4 : 0;
  const steps = Math.max(0, isWarm ? 3 + supports - 1 : supports - 2);
  const [edges, faces] = steps <= 1 ? [steps, 0] : [3 + 3 * (steps - 2), 1 + 3 * (steps - 2)];
  const points = supports * (supportOperations(shapes) + GJK_TEST) + guesses * (GUESS + GJK_TEST);
  return GJK_START + points + steps * GJK_STEP + edges * EDGE + faces * FACE;
}

/** Operations of the Newton search. Those of GJK after it are not counted. */
export function newtonOperations(iterations: number): number {
  return NEWTON_START + Math.max(0, iterations - 1) * NEWTON_STEP + NEWTON_END;
}

/** The last iteration expands nothing. */
export function epaOperations(iterations: number, shapes: ShapeCosts): number {
  let sum = LOAD + EPA_START + WITNESS;
  for (let i = 1; i <= iterations; i++)
    sum += epaSearch(i) + supportOperations(shapes) + (i < iterations ? epaExpand(i) : 0);
  return sum;
}

function manifoldOperations({ hullShare, faces }: ShapeCosts): number {
  return LOAD + hullShare * (2 * FEATURE_FACE * faces + HULL_MANIFOLD) + (1 - hullShare) * BOX_MANIFOLD;
}

/** What does not depend on iterations: input, witness points, features, lists, counts. */
export function fixedOperations(
  query: Query,
  searches: Searches,
  shapes: ShapeCosts,
  isSorted: boolean,
  hitShare: number,
): number {
  if (query === 'manifolds')
    return (
      fixedOperations('contacts', searches, { ...shapes, vertices: 0, faces: 0 }, isSorted, hitShare) +
      hitShare * manifoldOperations(shapes) +
      LIST
    );
  const { hullShare, vertices, faces } = shapes;
  const features = hullShare * 2 * (FEATURE_VERTEX * vertices + FEATURE_FACE * faces) + (1 - hullShare) * BOX_FEATURES;
  const common = LOAD + TALLY + (isSorted ? LIST : 0);
  if (searches === 'sat')
    return common + (query === 'intersects' ? SAT_INTERSECTS : SAT_BEST + SAT_WITNESS + PLACE + features);
  if (query === 'intersects') return common + 12;
  if (searches === 'newton') return common + PLACE + 22 + LIST;
  if (query === 'distances') return common + WITNESS;
  return common + WITNESS + (1 + epaLists(hullShare)) * LIST + LOAD + features;
}
