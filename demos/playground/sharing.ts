/** The scene outside of the page: in the address, as a program, and in the inspector. */

import type { Capture } from 'narrowphase';
import { byId, showNotice } from '../common/dom.ts';
import { packText } from '../common/packed-text.ts';
import { hashOf, sceneOfHash } from './address.ts';
import type { Backend } from './answer.ts';
import { codeOf } from './code.ts';
import { firstExample } from './examples.ts';
import type { PlaygroundScene } from './scene.ts';

/** Longer code is shown in part; the button copies all of it. */
const MOST_CODE = 20_000;
/** Characters of a packed capture; Chrome opens no address of 2 MiB. */
const MOST_LINKED = 1_500_000;

/** The scene of the address, or the first example; says what is wrong with a broken one. */
export function readAddress(): PlaygroundScene {
  try {
    return sceneOfHash(location.hash) ?? firstExample(3);
  } catch (error) {
    const reason = (error as Error).message;
    showNotice('warning', 'The scene in the address is broken', `${reason}. Here is an example instead`);
    return firstExample(3);
  }
}

export function writeAddress(scene: PlaygroundScene): void {
  const hash = hashOf(scene);
  history.replaceState(null, '', hash ?? location.pathname + location.search);
  const share = byId<HTMLButtonElement>('share');
  share.disabled = hash === undefined;
  share.title = hash === undefined ? 'The scene is too large for an address' : '';
}

export function showCode(scene: PlaygroundScene, backend: Backend): void {
  const code = codeOf(scene, backend);
  byId('code').textContent =
    code.length > MOST_CODE
      ? `${code.slice(0, MOST_CODE)}\n… ${code.length.toLocaleString('en')} characters in all`
      : code;
}

/** Links to the inspector with a capture. There is no link without one, or if no browser opens so long an address. */
export async function linkInspector(capture: Capture | undefined): Promise<void> {
  const packed = capture ? await packText(JSON.stringify(capture)) : '';
  const link = byId<HTMLAnchorElement>('inspect');
  link.hidden = packed === '' || packed.length > MOST_LINKED;
  link.href = `../inspector/#capture=${packed}`;
}
