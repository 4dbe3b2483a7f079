/** A user's page: asks the CPU backend until its workers have answered, or until it has given up on them. */
import { createTester } from 'narrowphase';

/** Messages with answers that came from workers. */
let answers = 0;
globalThis.Worker = class extends Worker {
  constructor(address, options) {
    super(address, options);
    this.addEventListener('message', ({ data }) => (answers += Number(typeof data === 'object')));
  }
};

const tester = await createTester({ backend: 'cpu', threads: 2 });
tester.addShape({ type: 'hull', points: Float32Array.from({ length: 96 }, (_, i) => Math.sin(1.7 * i * i)) });
const count = 20_000;
const bodies = {
  shapes: new Uint32Array(2 * count),
  positions: Float32Array.from({ length: 6 * count }, (_, i) => Math.sin(0.37 * i)),
  quaternions: Float32Array.from({ length: 8 * count }, (_, i) => Math.cos(1.1 * i) + 0.01),
};
const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
const isDecided = () => answers > 0 || tester.fallback !== undefined;
for (let calls = 0; calls < 200 && !isDecided(); calls++) await tester.contacts(bodies, pairs);
document.title = JSON.stringify({ hasAnswers: answers > 0, fallback: tester.fallback ?? null });
