/**
 * Tests whose histories are kept for good, by full name, and the name of their file in histories/: what each guards.
 * `npm run record-histories` writes those that are missing; one that is there is never written again, for it stands
 * for payments that are open somewhere.
 */
export const keptHistories: Readonly<Record<string, string>> = {
  'a payout that goes well > is submitted, followed by reads alone, and ends done at the end of its watch':
    'payout-done-by-reads-alone',
  'a payout that fails > waits for a person, is retried with a corrected key as -r2, and is done':
    'payout-retried-with-a-correction',
  'a payout that fails > and turns done before the retry is not paid again: a fresh read comes first':
    'payout-done-before-its-retry',
  'a payout that fails > can be abandoned, and calls a person when it is done after all':
    'payout-abandoned-then-done',
  'a payout of unknown fate > that was accepted and then dropped is found by a scan and made once':
    'payout-found-by-a-scan',
  'a payout of unknown fate > that scans never find calls a person, who can say that nothing had happened':
    'payout-never-found',
  'a retry that a reset brings back > does not pay again when the reset run goes on':
    'payout-retried-and-reset',
  'a payment with a long history > continues as new under its id with everything it knew, while postbacks keep coming':
    'payout-continued-as-new',
  'a cancel request > after the submission is noted and changes nothing': 'payout-cancel-request-ignored',
  'a token is renewed after 24 of its 30 minutes, and the next one again': 'token-renewed-by-timer',
  'any number of rejections of one token make one renewal, a minute after the last at the earliest':
    'token-rejected-and-renewed-once',
};
