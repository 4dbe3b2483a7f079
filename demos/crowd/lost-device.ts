/** When the browser takes the device away, visitors can go on with the plan and the number of people that they had. */

import { byId, create, showNotice } from '../common/dom.ts';

/** `reason` is a sentence without its full stop. The address gives the plan to go on with. */
export function showLostDevice(reason: string, address: Record<string, string | number>): void {
  showNotice('error', 'The device was lost', reason);
  const reload = create('button', 'button', 'Go on with this plan');
  reload.id = 'recover';
  reload.type = 'button';
  reload.addEventListener('click', () => {
    location.search = `?${new URLSearchParams(Object.entries(address).map(([key, value]) => [key, String(value)]))}`;
  });
  byId('notices').lastElementChild!.append(reload);
}
