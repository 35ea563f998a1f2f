import { needsOf, type Conclusions } from './conclusions.js';

/**
 * How far an account validation has come: `to_send`, `awaiting` an answer, `unknown` whether the service took the request,
 * and six ends: `answered`, `unanswered` in time, `refused` by the service, `invalid` as a request, `unsent` in time,
 * `cancelled` before it was sent.
 */
export type ValidationPhase =
  | 'to_send'
  | 'awaiting'
  | 'unknown'
  | 'answered'
  | 'unanswered'
  | 'refused'
  | 'invalid'
  | 'unsent'
  | 'cancelled';

/** What follows for an account validation. @param unsent what keeps it from being sent, once that has lasted */
export function validationConclusions(
  phase: ValidationPhase,
  { reason, unsent }: { reason: string | null; unsent: string | null },
): Conclusions {
  return {
    status: validationStatus(phase),
    needs: needsOf([
      ['invalid_input', phase === 'invalid' && (reason ?? '')],
      ['not_sent', phase === 'to_send' && unsent],
    ]),
  };
}

function validationStatus(phase: ValidationPhase): string {
  switch (phase) {
    case 'to_send':
      return 'submitting';
    case 'awaiting':
      return 'awaiting_answer';
    case 'unknown':
      return 'submission_unknown';
    case 'answered':
    case 'unanswered':
    case 'cancelled':
      return phase;
    case 'refused':
    case 'invalid':
    case 'unsent':
      return 'rejected';
  }
}
