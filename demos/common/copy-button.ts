/** Buttons that copy a text, and say whether they could. */

import { byId } from './dom.ts';

const SHOWN_MS = 1200;

export async function copyFrom(buttonId: string, text: string): Promise<void> {
  const button = byId(buttonId);
  button.dataset.name ??= button.textContent;
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not permitted',
  );
  setTimeout(() => (button.textContent = button.dataset.name!), SHOWN_MS);
}
