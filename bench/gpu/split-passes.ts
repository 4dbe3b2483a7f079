/** Dispatches one by one, each in a compute pass of its own. */

/** A dispatch that is about to be recorded. */
export interface SplitDispatch {
  /** As in shaders/kernels/. */
  kernel: string;
  /** Workgroups; undefined if the device decides. */
  size?: { width: number; height: number };
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
      inOwnPass({ width, height }, (own) => own.dispatchWorkgroups(width, height));
    },
    dispatchWorkgroupsIndirect(buffer, offset) {
      inOwnPass(undefined, (own) => own.dispatchWorkgroupsIndirect(buffer, offset));
    },
    end: () => undefined,
  };
  function inOwnPass(size: SplitDispatch['size'], dispatch: (own: GPUComputePassEncoder) => void): void {
    const kernel = LABEL.exec(pipeline!.label)?.[1] ?? pipeline!.label;
    const { descriptor, prepare } = onDispatch({ kernel, size });
    const own = encoder.beginComputePass(descriptor);
    own.setPipeline(pipeline!);
    own.setBindGroup(0, group);
    prepare?.(own);
    dispatch(own);
    own.end();
  }
  return pass as GPUComputePassEncoder;
}
