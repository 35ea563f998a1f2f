import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { RenewToken } from '../../src/contract/messages.js';
import type { SealedToken } from '../../src/contract/token.js';

/** The token of the fleet as it stands, sealed; null before the first one. */
export const tokenQuery = defineQuery<SealedToken | null>('token');

/** Answers a token newer than the rejected one: renews once for all who ask. */
export const renewTokenUpdate = defineUpdate<SealedToken, [RenewToken]>('renewToken');
