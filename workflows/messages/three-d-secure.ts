import { defineUpdate } from '@temporalio/workflow';
import type {
  CompleteThreeDSecure,
  IssueThreeDSecureToken,
  ThreeDSecureToken,
} from '../../src/contract/messages.js';
import type { OrderState } from '../../src/contract/state.js';

/** Answers a token for the browser's 3D Secure flow, a new one each time; the state keeps nothing of it. */
export const issueThreeDSecureTokenUpdate = defineUpdate<ThreeDSecureToken, [IssueThreeDSecureToken]>(
  'issueThreeDSecureToken',
);

/** Completes a 3D Secure order with what the browser's authentication came to and a card from the desk. */
export const completeThreeDSecureUpdate = defineUpdate<OrderState, [CompleteThreeDSecure]>(
  'completeThreeDSecure',
);
