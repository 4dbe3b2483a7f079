/** The scene in the address: `#scene=` and its JSON as base64url. */

import { toBase64Url, fromBase64Url } from '../common/base64url.ts';
import { checkScene } from './check-scene.ts';
import type { PlaygroundScene } from './scene.ts';

const KEY = 'scene';
/** Longer addresses are cut by some programs that they are pasted into. */
const MOST_CHARACTERS = 60_000;

/** The part of the address behind `#`; undefined: the scene is too large for an address. */
export function hashOf(scene: PlaygroundScene): string | undefined {
  const text = `#${KEY}=${toBase64Url(JSON.stringify(scene, plain))}`;
  return text.length <= MOST_CHARACTERS ? text : undefined;
}

/** undefined: the address has no scene. Throws an error of one sentence if the scene is broken. */
export function sceneOfHash(hash: string): PlaygroundScene | undefined {
  const text = new URLSearchParams(hash.slice(1)).get(KEY);
  if (text === null) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(fromBase64Url(text));
  } catch (error) {
    throw new Error(`it can't be decoded (${(error as Error).message})`, { cause: error });
  }
  return checkScene(content);
}

/** Typed arrays as lists. */
function plain(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
}
