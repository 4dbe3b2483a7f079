/** A user's service worker: answers a message with the distance of two balls, or with the error. */
import { createTester } from 'narrowphase';

async function distance() {
  const tester = await createTester({ backend: 'cpu' });
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const bodies = {
    shapes: Uint32Array.of(ball, ball),
    positions: Float32Array.of(0, 0, 0, 3, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const { distance: found } = await tester.distances(bodies, Uint32Array.of(0, 1));
  return found[0];
}

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', ({ source }) =>
  distance().then(
    (value) => source.postMessage({ value }, []),
    ({ code, message }) => source.postMessage({ code, message }, []),
  ),
);
