/** What is known of an adapter, and what compiling takes on it. */

export interface AdapterFacts {
  vendor: string;
  architecture: string;
  device: string;
  description: string;
  isSoftware: boolean;
  /** Which Vulkan driver was asked for. */
  driver: string;
  limits: { maxBufferSize: number; maxStorageBufferBindingSize: number };
  hasTimestamps: boolean;
}

/** One pipeline's compiling, on the host's clock. */
export interface Compiling {
  begin: number;
  end: number;
}

export interface CompileTimes {
  pipelines: number;
  /** Each pipeline's time added up. */
  sumMs: number;
  /** From the first one's begin to the last one's end: they compile side by side. */
  wallMs: number;
}

export function compileTimes(compiling: readonly Compiling[]): CompileTimes {
  const begin = Math.min(...compiling.map((one) => one.begin));
  const end = Math.max(...compiling.map((one) => one.end));
  return {
    pipelines: compiling.length,
    sumMs: compiling.reduce((sum, one) => sum + one.end - one.begin, 0),
    wallMs: compiling.length === 0 ? 0 : end - begin,
  };
}

/** For file names: `NVIDIA H200` becomes `nvidia-h200`. */
export function slugOf({
  device,
  description,
  vendor,
}: Pick<AdapterFacts, 'device' | 'description' | 'vendor'>): string {
  const known = /(llvmpipe|swiftshader)/i.exec(`${device} ${description}`)?.[1];
  return (
    (known ?? (device || description || vendor))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'unknown'
  );
}
