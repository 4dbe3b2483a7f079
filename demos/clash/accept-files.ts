/** Files from the button "Open", and files and folders that are dropped anywhere on the page. */

import { byId } from '../common/dom.ts';
import { acceptDrops } from '../common/file-drop.ts';
import type { GivenFile } from './check-messages.ts';
import { filesOfDrop, readFiles } from './read-files.ts';

export function acceptFiles(onFiles: (files: Promise<GivenFile[]>) => void): void {
  const input = byId<HTMLInputElement>('files');
  byId('open-files').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const files = Array.from(input.files ?? []);
    // The same file may be chosen again.
    input.value = '';
    if (files.length > 0) onFiles(readFiles(files));
  });
  acceptDrops(
    (isOver) => (byId('drop').hidden = !isOver),
    (transfer) => onFiles(filesOfDrop(transfer)),
  );
}
