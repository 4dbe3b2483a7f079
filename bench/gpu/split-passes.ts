/** Dispatches one by one, each in a compute pass of its own. */

/** A dispatch that is about to be recorded. */
export interface SplitDispatch {
  /** As in shaders/kernels/. */
  kernel: string;
  /** Workgroups. */
  width: number;
  height: number;
}

export interface Splitter {
  /** A pass of the caller's begins. */
  onPass?(encoder: GPUCommandEncoder): void;
  /** Gives the descriptor of the dispatch's pass, and what to set in it before. */
  onDispatch(dispatch: SplitDispatch): {
    descriptor?: GPUComputePassDescriptor;
    prepare?(pass: GPUComputePassEncoder): void;
  };
}

/** Labels of pipelines begin with this, then the kernel's name and its constants. */
const LABEL = /^kernels\.(\S+)/;

/** Records to `encoder`, with a pass for each dispatch. It has the methods that batches use. */
export function splitPasses(encoder: GPUCommandEncoder, { onPass, onDispatch }: Splitter): GPUCommandEncoder {
  const split: Partial<GPUCommandEncoder> = {
    clearBuffer: encoder.clearBuffer.bind(encoder),
    copyBufferToBuffer: encoder.copyBufferToBuffer.bind(encoder) as GPUCommandEncoder['copyBufferToBuffer'],
    resolveQuerySet: encoder.resolveQuerySet.bind(encoder),
    finish: encoder.finish.bind(encoder),
    beginComputePass() {
      onPass?.(encoder);
      return splitPass(encoder, onDispatch);
    },
  };
  return split as GPUCommandEncoder;
}

function splitPass(encoder: GPUCommandEncoder, onDispatch: Splitter['onDispatch']): GPUComputePassEncoder {
  let pipeline: GPUComputePipeline | undefined;
  let group: GPUBindGroup | null | undefined;
  const pass: Partial<GPUComputePassEncoder> = {
    setPipeline: (to) => void (pipeline = to),
    setBindGroup: (_: number, to: GPUBindGroup | null | undefined) => void (group = to),
    dispatchWorkgroups(width, height = 1) {
      const kernel = LABEL.exec(pipeline!.label)?.[1] ?? pipeline!.label;
      const { descriptor, prepare } = onDispatch({ kernel, width, height });
      const own = encoder.beginComputePass(descriptor);
      own.setPipeline(pipeline!);
      own.setBindGroup(0, group);
      prepare?.(own);
      own.dispatchWorkgroups(width, height);
      own.end();
    },
    end: () => undefined,
  };
  return pass as GPUComputePassEncoder;
}
