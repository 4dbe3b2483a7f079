/** Fetches the scene that the address names, `?scene=heap.json` by default, from the folder of scenes. */

import { NarrowphaseError } from 'narrowphase';
import { parseScene } from '../../cli/scene/scene.ts';
import type { Scene } from '../../cli/scene/scene.ts';

export interface LoadedScene {
  file: string;
  scene: Scene;
  /** Milliseconds for fetching and checking. */
  load: number;
}

/** Throws an `Error` whose message can be shown to the user. */
export async function loadScene(parameters: URLSearchParams): Promise<LoadedScene> {
  const file = parameters.get('scene') ?? 'heap.json';
  if (!/^[\w-]+\.json$/.test(file)) throw new Error(`?scene=${file} is not the name of a file such as heap.json`);
  const start = performance.now();
  const response = await fetch(new URL(`../${file}`, document.baseURI)).catch((error: Error) => error);
  if (response instanceof Error) throw new Error(`The scene ${file} could not be fetched: ${response.message}`);
  if (!response.ok) {
    const advice = file === 'heap.json' ? '; "npm run scenes" makes it' : '';
    throw new Error(`The scene ${file} could not be fetched: the server answers ${response.status}${advice}`);
  }
  try {
    return { file, scene: parseScene(await response.text(), file), load: performance.now() - start };
  } catch (error) {
    if (error instanceof NarrowphaseError)
      throw new Error(`The scene ${file} cannot be used: ${error.message}`, { cause: error });
    throw error;
  }
}
