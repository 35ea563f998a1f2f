import { Lingerers } from '../../activities/shared/lingerers.js';

/** No creating call of a payout lingers: each is answered as the service has answered it. */
export function noneLingers(): Lingerers {
  return new Lingerers({ readAfterMs: [], endsMs: 0, most: 0 });
}

/** Creating calls of payouts linger as a worker has them do, or none does. */
export function lingerersIf(linger = false): Lingerers {
  return linger ? new Lingerers() : noneLingers();
}
