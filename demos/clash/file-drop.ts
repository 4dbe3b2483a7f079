/** Files from the button "Open", and files and folders that are dropped anywhere on the page. */

import { byId } from '../common/dom.ts';
import type { GivenFile } from './check-messages.ts';
import { filesOfDrop, readFiles } from './read-files.ts';

export function enableDrop(onFiles: (files: Promise<GivenFile[]>) => void): void {
  const input = byId<HTMLInputElement>('files');
  byId('open-files').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const files = Array.from(input.files ?? []);
    // The same file may be chosen again.
    input.value = '';
    if (files.length > 0) onFiles(readFiles(files));
  });
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    byId('drop').hidden = false;
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) byId('drop').hidden = true;
  });
  addEventListener('drop', (event) => {
    byId('drop').hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    onFiles(filesOfDrop(event.dataTransfer!));
  });
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
