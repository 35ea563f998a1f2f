/** How the workflow of a payment ended. Those of ours end as `completed`; all others were ended from outside. */
export const closings = ['completed', 'terminated', 'timed_out', 'failed', 'cancelled'] as const;

export type Closing = (typeof closings)[number];

/** How a workflow ended that nobody follows any more although its money may still move. */
export type EarlyClosing = Exclude<Closing, 'completed'>;

export function isEarly(closing: Closing | null | undefined): closing is EarlyClosing {
  return closing !== null && closing !== undefined && closing !== 'completed';
}

const causes: Record<EarlyClosing, string> = {
  terminated: 'was terminated',
  timed_out: 'has timed out',
  failed: 'has failed',
  cancelled: 'was cancelled by force',
};

/** What happened, what it means for the money, and what to do, of a payment whose workflow ended early. */
export function earlyClosingText(closing: EarlyClosing): string {
  return (
    `The workflow of this payment ${causes[closing]}, so nobody follows it any more. Its status is the last one ` +
    'known, not its outcome: what was sent stands at the service, and the money may still move. Nothing is sent ' +
    'again. Look the payment up at the service by its partner_code before it is paid in another way.'
  );
}
