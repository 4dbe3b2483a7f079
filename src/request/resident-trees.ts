/** The trees of a handle's bodies: which one a search can use, and how many rays had none. */
import type { BodyTree, TreeForm } from '../broad-phase/body-tree.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Work } from '../util/turns.ts';
import type { BroadPhase } from './dimension.ts';
import { keepTree, keptTree } from './kept-trees.ts';
import type { ResidentVersion } from './resident.ts';

/** The form of trees for rays. */
export const AT_REST: Omit<TreeForm, 'filters'> = { margin: 0 };

/** The tree of a handle's bodies, as they were at the call of a query; undefined if none is kept. */
export function knownTree(
  resident: ResidentVersion | undefined,
  bodies: AnyBodies,
  table: ShapeTable,
  form: Omit<TreeForm, 'filters'>,
): BodyTree | undefined {
  if (!resident) return undefined;
  return keptTree(resident.state.trees, nameOf(form), versionFor(resident, form), table, bodies.shapes);
}

/** The same. If there is none, it is built, and kept if the bodies are a handle's. `table` is a snapshot. */
export function* treeFor(
  broadPhase: BroadPhase,
  resident: ResidentVersion | undefined,
  bodies: AnyBodies,
  table: ShapeTable,
  form: TreeForm,
): Work<BodyTree> {
  const known = knownTree(resident, bodies, table, form);
  if (known) return known;
  const tree = yield* broadPhase.buildTree(bodies, table.shapes, form);
  if (resident && !resident.state.isDisposed)
    keepTree(resident.state.trees, nameOf(form), versionFor(resident, form), table, tree);
  return tree;
}

/** How many rays were cast at the same bodies without a tree. */
export function raysWithoutTree(resident: ResidentVersion): number {
  const { scanned } = resident.state.trees;
  return scanned?.version === versionFor(resident, AT_REST) ? scanned.rays : 0;
}

/** Notes that so many more are. */
export function countRaysWithoutTree(resident: ResidentVersion, count: number): void {
  const rays = raysWithoutTree(resident) + count;
  resident.state.trees.scanned = { version: versionFor(resident, AT_REST), rays };
}

function nameOf({ margin, motion }: Omit<TreeForm, 'filters'>): string {
  return `${margin} ${motion?.duration}`;
}

/** What a tree depends on. Velocities come last. */
function versionFor(
  { writes, bodiesVersion, motionVersion }: ResidentVersion,
  { motion }: Omit<TreeForm, 'filters'>,
): string {
  const filters = `${writes.get('groups')} ${writes.get('fixed')}`;
  return `${bodiesVersion} ${filters},${motion ? motionVersion : ''}`;
}
