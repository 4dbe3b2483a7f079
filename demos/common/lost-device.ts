/** A notice that the browser took the device away, with a button that loads the page again with these parameters. */

import { byId, create, showNotice } from './dom.ts';

export function showLostDevice(reason: string, label: string, parameters: () => Record<string, string>): void {
  showNotice('error', 'The device was lost', reason);
  const reload = create('button', 'button', label);
  reload.id = 'recover';
  reload.type = 'button';
  reload.addEventListener('click', () => {
    location.search = `?${new URLSearchParams(parameters())}`;
  });
  byId('notices').lastElementChild!.append(reload);
}
