/**
 * What reports call bodies: by name, or `body 7` where a body has none. Bodies that share a label are told apart by a
 * number, in the order of the scene, so that the same bodies are recognised in the next run.
 */

import type { Scene } from '../scene/scene.ts';

export interface Label {
  label: string;
  /** Place among the bodies of this label, from 1. Undefined for the first. */
  copy?: number;
}

export function createLabels({ bodyNames }: Pick<Scene, 'bodyNames'>): (body: number) => Label {
  const named = new Map<string, number>();
  const copies = new Map<number, number>();
  for (const body of [...bodyNames.keys()].sort((a, b) => a - b)) {
    const name = bodyNames.get(body)!;
    const copy = (named.get(name) ?? 0) + 1;
    named.set(name, copy);
    if (copy > 1) copies.set(body, copy);
  }
  return (body) => {
    const name = bodyNames.get(body);
    if (name !== undefined) return { label: name, copy: copies.get(body) };
    const label = `body ${body}`;
    const others = named.get(label);
    return { label, copy: others === undefined ? undefined : others + 1 };
  };
}

/** A text that is the same for the same two bodies in either order, and different for any others. */
export function pairKey(a: string, copyA: number | undefined, b: string, copyB: number | undefined): string {
  const keys = [JSON.stringify([a, copyA ?? 1]), JSON.stringify([b, copyB ?? 1])].sort();
  return keys.join();
}
