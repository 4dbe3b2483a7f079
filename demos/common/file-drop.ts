/** Files that are dropped anywhere on the page. Text that is dragged goes where the browser puts it. */

/** Calls `show` with true when files are dragged over the page, and with false when they leave it or are dropped. */
export function acceptDrops(
  show: (isOver: boolean) => void,
  onDrop: (files: DataTransfer, isWithShift: boolean) => void,
): void {
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(true);
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) show(false);
  });
  addEventListener('drop', (event) => {
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    onDrop(event.dataTransfer!, event.shiftKey);
  });
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
