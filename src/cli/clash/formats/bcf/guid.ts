/** GUIDs that stay the same from run to run. */

import { createHash } from 'node:crypto';

/** Names of this package's topics, as RFC 9562 (section 5.5) wants a namespace. */
const NAMESPACE = Buffer.from('8e1c3f52a7704f0d9d5b6c24e0b97a31', 'hex');

/** A GUID (version 5 of RFC 9562) made from a name. */
export function guidOf(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
