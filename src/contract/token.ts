/**
 * A Bearer token of the service as it stands in histories: sealed with a key derived from the client_secret, so
 * that a history alone is worth nothing. `generation` counts the tokens of this service account from 1.
 */
export type SealedToken = { generation: number; sealed: string; issued_at: string; expires_at: string };

/** Where the tokens of one service account are renewed; the input of the workflow `tokenRenewal`. */
export type TokenRenewalInput = { token_task_queue: string };

/** What `tokenRenewal` answers about itself: the clock of the worker that answers, and the token without its content. */
export type TokenHealth = {
  now: string;
  token: Pick<SealedToken, 'generation' | 'issued_at' | 'expires_at'> | null;
};
