/** Bytes and text as base64url, which needs no escapes in an address. */

export function bytesToBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws if the text is not base64url. */
export function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new Error('it has characters that base64url lacks');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

export function toBase64Url(text: string): string {
  return bytesToBase64Url(new TextEncoder().encode(text));
}

/** Throws if the text is not base64url of UTF-8. */
export function fromBase64Url(text: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytesOfBase64Url(text));
}
