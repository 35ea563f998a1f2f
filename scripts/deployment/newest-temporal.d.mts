export function startNewestTemporal(options: {
  dynamicConfig?: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  onProgress: (message: string) => void;
}): Promise<{
  readonly address: string;
  readonly namespace: string;
  readonly version: string;
  stop(): Promise<void>;
}>;
