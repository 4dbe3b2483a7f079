/** The button "About" of the bar, which opens the text of the demo's README. */

import { byId, create } from './dom.ts';

export function enableAbout(): void {
  const dialog = byId<HTMLDialogElement>('about');
  const close = create('button', 'button close', 'Close');
  close.type = 'button';
  // As the first element that takes the focus, it keeps the dialog at its beginning.
  dialog.prepend(close);
  close.addEventListener('click', () => dialog.close());
  byId('open-about').addEventListener('click', () => dialog.showModal());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
}
