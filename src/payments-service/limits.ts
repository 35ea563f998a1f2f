import { httpLimits, maxAnswerBytes } from '../domain/call-limits.js';

/** Bounds of one call: milliseconds to connect, until headers, between body parts, in all; bytes of the answer. */
export type CallLimits = {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
  totalMs: number;
  maxAnswerBytes: number;
};

export const callLimits: CallLimits = { ...httpLimits, maxAnswerBytes };
