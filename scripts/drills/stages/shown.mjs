/** What tells a stage apart in the state of a payment. */
export const statusIs =
  (wanted) =>
  ({ status }) =>
    status === wanted;

/** It was sent, or requested, and nothing happened by it. */
export const waitsToBeSent = ({ timeline }) => timeline.some(({ what }) => what.startsWith('Not sent'));

export const asksForFinding = ({ commands }) => commands.includes('resolveSubmission');
