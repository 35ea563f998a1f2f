/**
 * How far a refund has come: `checking` the input, `to_send`, `asked` and taken by the service, `unknown` whether it was,
 * `refused` by the service or by us, `failed` by the service's own status, `over`.
 */
export type RefundPhase = 'checking' | 'to_send' | 'asked' | 'unknown' | 'refused' | 'failed' | 'over';

/** What a refund does now: `request` it, `confirm` it by reads, wait for an operator to `decide`, or it is `over`. */
export type RefundStage = 'check' | 'request' | 'confirm' | 'decide' | 'over';

/** @param unconfirmed no read has shown it as done in time, or its outcome is unknown */
export function refundStage(phase: RefundPhase, unconfirmed: boolean): RefundStage {
  switch (phase) {
    case 'checking':
      return 'check';
    case 'to_send':
      return 'request';
    case 'asked':
      return unconfirmed ? 'decide' : 'confirm';
    case 'unknown':
    case 'refused':
    case 'failed':
      return 'decide';
    case 'over':
      return 'over';
  }
}
