/** The Bearer token of the service, as the fleet shares it. `generation` counts the tokens from 1. */
export type ServiceToken = { token: string; generation: number };

/** Where calls get their token from. Both methods are bounded in time and throw when there is none. */
export type TokenSource = {
  current(): Promise<ServiceToken>;
  /** The service did not accept the token of this generation: the next `current` answers a newer one. */
  reject(generation: number): Promise<void>;
};
