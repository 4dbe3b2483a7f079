/** Saves a file as a download. */

/** Browsers read the blob after the click, large ones for a while. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
