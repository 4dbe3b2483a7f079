/** Captures from files, from the clipboard and from a drop, and the keys. */

import { byId } from '../common/dom.ts';
import { acceptDrops } from '../common/file-drop.ts';

/** Captures are far smaller; a larger file would only fill the memory. */
const MOST_BYTES = 256 * 2 ** 20;

/** `name`: what an error message calls the text. */
export function acceptCaptures(
  open: (text: string, name: string) => void,
  refuse: (name: string, reason: string) => void,
): void {
  const file = byId<HTMLInputElement>('file');
  const read = (given: File | undefined): void => {
    if (!given) return;
    if (given.size > MOST_BYTES) refuse(given.name, `it has more than ${MOST_BYTES / 2 ** 20} MB`);
    else
      given.text().then(
        (text) => open(text, given.name),
        (error: Error) => refuse(given.name, error.message),
      );
  };
  byId('open-file').addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    read(file.files?.[0]);
    file.value = '';
  });
  acceptDrops(
    (isOver) => document.body.classList.toggle('dropping', isOver),
    ({ files }) => read(files[0]),
  );
  addEventListener('paste', ({ clipboardData }) => {
    const text = clipboardData?.getData('text/plain');
    if (text?.trim()) open(text, 'the clipboard');
  });
}

export interface Moves {
  by(steps: number): void;
  toStart(): void;
  toEnd(): void;
  play(): void;
}

/** Left, right, Home, End and space; the slider has keys of its own, and lists keep theirs. */
export function listenToKeys({ by, toStart, toEnd, play }: Moves): void {
  const keys: Record<string, () => void> = {
    ArrowLeft: () => by(-1),
    ArrowRight: () => by(1),
    Home: toStart,
    End: toEnd,
    ' ': play,
  };
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
    const element = target as HTMLElement;
    if (element.matches('select, input') || (key === ' ' && element.matches('button, a'))) return;
    if (!(key in keys)) return;
    event.preventDefault();
    keys[key]();
  });
}
