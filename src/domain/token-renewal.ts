/** The first rejection of a token renews at once; repeated ones within a minute back off. */
const delaysMs = [0, 1_000, 5_000, 15_000, 60_000] as const;

/**
 * How long after its issue a rejected token may be renewed, in milliseconds.
 *
 * @param rejections how many tokens in a row were rejected before this one
 */
export function tokenRenewalDelayMs(rejections: number): number {
  return delaysMs[Math.min(rejections, delaysMs.length - 1)] ?? 60_000;
}
