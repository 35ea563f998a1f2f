import { Lingerers } from '../../activities/shared/lingerers.js';

/** No creating call of a payout lingers: each is answered as the service has answered it. */
export function noneLingers(): Lingerers {
  return new Lingerers({ readAfterMs: [], endsMs: 0, most: 0 });
}
