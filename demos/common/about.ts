/** The button "About" of the bar, which opens the text of the demo's README. */

import { byId } from './dom.ts';

export function enableAbout(): void {
  const dialog = byId<HTMLDialogElement>('about');
  byId('open-about').addEventListener('click', () => dialog.showModal());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
}
