import { needsOf, type Conclusions } from './conclusions.js';
import type { Validation, ValidationPhase } from './validation.js';

/** What follows for an account validation. */
export function validationConclusions({ phase, reason, submission }: Validation): Conclusions {
  return {
    status: validationStatus(phase),
    needs: needsOf([
      ['invalid_input', phase === 'invalid' && (reason ?? '')],
      ['not_sent', phase === 'to_send' && submission.unsent],
    ]),
  };
}

/** What happened when it came to this, for its timeline. */
export function validationNews({ answer, phase, reason, submission }: Validation): string {
  switch (phase) {
    case 'to_send':
      return '';
    case 'awaiting':
      return 'The service took the request.';
    case 'unknown':
      return reason ?? '';
    case 'answered':
      return `An answer came by ${answer?.source ?? 'nobody'}; it is not verified.`;
    case 'unanswered':
      return 'No answer came in time.';
    case 'refused':
    case 'unsent':
      return 'The service refused the validation, or it was never sent.';
    case 'invalid':
      return 'The request was not usable; nothing was sent.';
    case 'cancelled':
      return submission.wasAnswered
        ? 'Cancelled. The service had answered that it did nothing.'
        : 'Cancelled before anything was sent.';
  }
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
