/** Options of the command line. */
import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    pairs: { ...text, default: '20000' },
    'gpu-pairs': { ...text, default: '32768' },
    frames: { ...text, default: '30' },
    repeats: { ...text, default: '9' },
    seed: { ...text, default: '1' },
    out: text,
  },
});

export const options = {
  pairs: Number(values.pairs),
  gpuPairs: Number(values['gpu-pairs']),
  frames: Number(values.frames),
  repeats: Number(values.repeats),
  seed: Number(values.seed),
  /** The file to write. */
  out: values.out,
};
