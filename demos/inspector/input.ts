/** Captures from files, from the clipboard and from a drop, and the keys. */

import { byId } from '../common/dom.ts';

/** `name`: what an error message calls the text. */
export function acceptCaptures(open: (text: string, name: string) => void): void {
  const file = byId<HTMLInputElement>('file');
  const read = (given: File | undefined): void => {
    if (given) void given.text().then((text) => open(text, given.name));
  };
  byId('open-file').addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    read(file.files?.[0]);
    file.value = '';
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    read(event.dataTransfer?.files[0]);
  });
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
