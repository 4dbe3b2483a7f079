/** Opens peers by name: each loads its WebAssembly when it is asked for. */

import type { Peer, PeerName } from './peer.ts';

export async function openPeer(name: PeerName): Promise<Peer> {
  if (name === 'rapier') return (await import('./rapier.ts')).openRapier();
  return (await import('./jolt.ts')).openJolt();
}
