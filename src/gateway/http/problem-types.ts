/** Each `type` that an error of the HTTP API has, after `urn:durable-payments:problem:`, and what it means. */
export const problemTypes = {
  'invalid-request': [
    400,
    'The request can not be used; `errors` names each field at fault. Nothing was done.',
  ],
  codec: [400, 'The codec endpoint can not convert these payloads.'],
  unauthorized: [401, 'No API key, or none that is known.'],
  forbidden: [403, 'The key has not the scope that this takes.'],
  'not-found': [404, 'There is no such payment, batch, webhook or address, or it belongs to another key.'],
  'method-not-allowed': [405, 'The address exists; `Allow` names the methods that it takes.'],
  timeout: [408, 'The body took too long to arrive.'],
  conflict: [
    409,
    'Another payment or batch has this code; `Location` is where it is read. Nothing was started.',
  ],
  'closed-early': [409, 'The payment of this code was terminated, timed out or failed; `reason` says which.'],
  'command-refused': [409, 'The payment does not take this command now; `reason` is a word for programs.'],
  'too-large': [413, 'The body is larger than is accepted here.'],
  'too-long': [414, 'The address is longer than is accepted.'],
  'unsupported-media-type': [415, 'The Content-Type is none that is taken here.'],
  'too-many-requests': [429, 'This key, or this address, sends too much. Nothing was done.'],
  'too-many-cards': [429, 'This key has as many cards in the card store as it may have.'],
  'too-many-batches': [429, 'This key is sending as many batches at once as it may.'],
  'too-many-reads': [429, 'This key has as many reads under way as it may that take many calls of Temporal.'],
  unreadable: [431, 'No HTTP request could be read, such as one with too long headers.'],
  internal: [500, 'Something went wrong inside. Of a start or command it is not known whether it was taken.'],
  'state-lost': [500, 'Its workflow was ended before it had handled its last events: no state can be shown.'],
  unavailable: [
    503,
    'Temporal did not answer in time. Send a start again: it starts a payment at most once.',
  ],
  'tasks-failing': [
    503,
    'Workers cannot continue this payment or batch: `detail` has what was last known of it. It goes on by itself once they can.',
  ],
  overloaded: [503, 'The gateway is overloaded or stopping. Nothing was done.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;

export type ProblemType = keyof typeof problemTypes;

/** The types of a status. */
export function typesOf(status: number): ProblemType[] {
  return (Object.keys(problemTypes) as ProblemType[]).filter((type) => problemTypes[type][0] === status);
}

/** All of them, in Markdown. */
export const problemTable = [
  '| status | type: `urn:durable-payments:problem:` and | meaning |',
  '| --- | --- | --- |',
  ...Object.entries(problemTypes).map(
    ([type, [status, meaning]]) => `| ${String(status)} | \`${type}\` | ${meaning} |`,
  ),
].join('\n');
