/** GUIDs that stay the same from run to run. Hashed with Web Crypto, which Node and browsers have. */

/** Names of this package's topics, as RFC 9562 (section 5.5) wants a namespace. */
const NAMESPACE = bytesOf('8e1c3f52a7704f0d9d5b6c24e0b97a31');

/** A GUID (version 5 of RFC 9562) made from a name. */
export async function guidOf(name: string): Promise<string> {
  const encoded = new TextEncoder().encode(name);
  const named = new Uint8Array(NAMESPACE.length + encoded.length);
  named.set(NAMESPACE);
  named.set(encoded, NAMESPACE.length);
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', named)).subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16));
}
