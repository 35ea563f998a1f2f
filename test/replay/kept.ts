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
  'a further attempt that has to be sent again > is not sent when the former one has turned done meanwhile':
    'payout-proven-before-it-is-sent-again',
  'a person who resolves a submission > by the identifier of another payout of the same value is refused: the list tells whose it is':
    'payout-resolved-after-a-look-at-the-list',
  'an attempt that was made before a reset > is found before a retry in the fresh run would make it again, and followed':
    'payout-made-before-a-reset',
  'a run that came about by a reset never says that nothing was sent > not when the gateway that held the card is gone: the order awaits a word, not a card':
    'card-order-reset-without-its-desk',
  'a token is renewed after 24 of its 30 minutes, and the next one again': 'token-renewed-by-timer',
  'any number of rejections of one token make one renewal, at once; that of its successor backs off':
    'token-rejected-and-renewed-once',
  'a transfer that has the account validated first > is sent once the answer is clearly in favour of it':
    'payout-account-validated-first',
  'a card order that goes well > settles 30 days later without any postback, and ends at the end of its watch':
    'card-order-settled-by-reads-alone',
  'a card > that is gone from the desk is asked for, and a new one charges once':
    'card-order-with-a-second-card',
  'a card order of unknown fate > goes on under the identifier that a person found':
    'card-order-found-by-a-person',
  'a refund that goes well > is asked for once and followed until the order reads as refunded, by reads alone':
    'refund-by-reads-alone',
  'a hosted checkout that is paid > answers where the customer is sent, and is followed by reads alone to its settlement':
    'hosted-checkout-paid',
  'a hosted checkout that nobody pays > expires after 48 hours, by a read that worked, and is watched on':
    'hosted-checkout-expired',
  'a 3D Secure order that goes well > gives tokens to the browser, is completed with a card once, and settles':
    'three-d-secure-completed',
  'the answer to an account validation > comes in the response when that already says it':
    'account-validation-answered-at-once',
  'a batch > starts each of its payouts once, and sent again starts nothing more': 'batch-started',
  'a reconciliation > hints a payout that is failed here and under way there': 'reconciliation-with-a-hint',
  'an OMS with a webhook > is told of each change of status in order, and of nothing personal':
    'payout-that-tells-its-oms',
  'a payment that closes before the OMS was told > answers its result without delay, and the OMS is told in order all the same':
    'payout-closed-before-its-oms-is-told',
};
