/** Files that are dropped on the page. */

/** `sign` is shown while a file is over the page. With Shift a model becomes its hull. */
export function enableFileDrop(sign: HTMLElement, onFile: (file: File, as: 'mesh' | 'hull') => void): void {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    sign.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) sign.hidden = true;
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    sign.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file, event.shiftKey ? 'hull' : 'mesh');
  });
}
