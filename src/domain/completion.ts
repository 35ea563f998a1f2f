/** `open` to a completion, one `to_send`, `unknown` its outcome, or `sent`. */
export type CompletionPhase = 'open' | 'to_send' | 'unknown' | 'sent';

/** Characters of what the customer's browser brings back from the authentication. */
export const longestCallback = 4_096;

/** How far the completion of a 3D Secure order has come. Plain JSON. */
export type Completion = {
  readonly phase: CompletionPhase;
  /** Until when the order can be completed; null before it is known to the service. */
  readonly until: number | null;
  readonly credentials: { readonly callback: string; readonly eci: string } | null;
  /** Whether a completion was sent before, so that a fresh read has to come before the next. */
  readonly sentBefore: boolean;
  /** Whether one was ever put off, or waited for a card, so that a fresh read has to come before it is sent. */
  readonly putOff: boolean;
  /** All that the service answered when the order was opened: it is undocumented. */
  readonly answer: Record<string, unknown> | null;
};

export const newCompletion: Completion = {
  phase: 'open',
  until: null,
  credentials: null,
  sentBefore: false,
  putOff: false,
  answer: null,
};
