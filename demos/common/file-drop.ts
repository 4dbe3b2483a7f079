/** Files that are dropped anywhere on the page. Text that is dragged goes where the browser puts it. */

/** `show` is told whether files are over the page. */
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
