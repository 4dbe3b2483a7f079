/** Trees over the bodies of a handle. They stay until the bodies are written, or one of their shapes is another. */
import type { BodyTree } from '../broad-phase/body-tree.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';

/** Trees of bodies at rest, and of others for `findPairs` by margin and duration. */
const MOST_TREES = 3;

interface KeptTree {
  /** The margin and the duration that the boxes enclose. */
  readonly form: string;
  /** What the bodies were; after a comma, what their velocities were. */
  readonly version: string;
  /** The table that the shapes are known to be those of. */
  table: ShapeTable;
  readonly tree: BodyTree;
}

export interface KeptTrees {
  /** The one that was used last comes first. */
  list: KeptTree[];
  /** How many rays were cast without a tree, at bodies of which version. */
  scanned: { version: string; rays: number } | undefined;
}

export function createKeptTrees(): KeptTrees {
  return { list: [], scanned: undefined };
}

export function dropTrees(trees: KeptTrees): void {
  trees.list = [];
}

/** The tree of this form over bodies of this version with these shapes; undefined if there is none. */
export function keptTree(
  trees: KeptTrees,
  form: string,
  version: string,
  table: ShapeTable,
  ids: Uint32Array,
): BodyTree | undefined {
  const kept = trees.list.find((each) => each.form === form && each.version === version);
  if (!kept || !hasSameShapes(kept.table, table, ids)) return undefined;
  kept.table = table;
  trees.list.sort((a, b) => Number(b === kept) - Number(a === kept));
  return kept.tree;
}

/** Keeps a tree in place of that of the same form. Trees of earlier versions of the bodies are dropped. */
export function keepTree(trees: KeptTrees, form: string, version: string, table: ShapeTable, tree: BodyTree): void {
  const others = trees.list.filter((each) => each.form !== form && areOfOneTime(each.version, version));
  trees.list = [{ form, version, table, tree }, ...others].slice(0, MOST_TREES);
}

/** Whether two versions are of the same bodies, if perhaps with other velocities. */
function areOfOneTime(a: string, b: string): boolean {
  return a.slice(0, a.lastIndexOf(',')) === b.slice(0, b.lastIndexOf(','));
}

/** Whether the bodies' shapes are the same in two snapshots: a removed shape's id may be another's. */
function hasSameShapes(a: ShapeTable, b: ShapeTable, ids: Uint32Array): boolean {
  if (a.version === b.version) return true;
  return ids.every((id) => a.shapes[id] === b.shapes[id]);
}
