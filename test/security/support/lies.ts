import { gzipSync } from 'node:zlib';
import { json } from './hostile-service.js';
import type { Lie } from './hostile-service.js';

/** How the service answers for one payout, and what may stand in our books afterwards. */
export type Plan = {
  readonly creation: Lie;
  readonly reads?: Readonly<Record<string, Lie>>;
  readonly status: string;
  readonly attention: string | null;
};

/** It moves the cursor, sets the clipboard, reverses a line and invents another one. */
const forgedText = 'no\u001b[2A\u001b]52;c;cm0gLXJmIH4=\u0007\u202edone\u2066\u200b\r\nstatus   done\u0000';

const raw =
  (text: string): Lie =>
  ({ socket }) => {
    socket?.end(text);
  };

/** Something each second, for as long as anyone listens. */
const slowly =
  (head: string, unit: string): Lie =>
  ({ socket }) => {
    socket?.write(head);
    const timer = setInterval(() => socket?.write(unit), 1_000);
    socket?.once('close', () => {
      clearInterval(timer);
    });
  };

/** A body that never ends, as fast as it is taken. */
const endless =
  (unit: string, written: (bytes: number) => void): Lie =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = unit.repeat(65_536 / unit.length);
    const more = (): void => {
      let taken = true;
      while (taken && !response.destroyed) {
        taken = response.write(chunk);
        written(chunk.length);
      }
      response.once('drain', more);
    };
    more();
  };

const unknown = (creation: Lie): Plan => ({
  creation,
  status: 'submission_unknown',
  attention: 'submission_unknown',
});
const refused = (creation: Lie): Plan => ({ creation, status: 'rejected', attention: 'payout_failed' });
const html = { 'content-type': 'text/html' };

/** Answers that prove nothing, or refuse, however they are written. @param written gets the bytes of endless ones */
export function brokenAnswers(written: (bytes: number) => void): Readonly<Record<string, Plan>> {
  const padded = (pad: string) => `{"id":"1","status":"claimed","pad":"${pad}"}`;
  return {
    'an endless body': unknown(endless('{"id":1,', written)),
    'an endless body of blanks': unknown(endless(' ', written)),
    'a body of 64 MB': unknown(json(200, padded('x'.repeat(64 * 1_048_576)))),
    'a body that drips': unknown(slowly('HTTP/1.1 200 OK\r\n\r\n{', ' ')),
    'headers that drip': unknown(slowly('HTTP/1.1 200 OK\r\n', 'a: b\r\n')),
    'no answer': unknown(() => undefined),
    'a gzip bomb': unknown((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(padded(' '.repeat(50_000_000))));
    }),
    'another protocol by 101': unknown(
      raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n{"id":1}'),
    ),
    'nothing but 103': unknown(slowly('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    'two lengths': unknown(
      raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 40\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n{}'),
    ),
    'a flood of headers': unknown(raw(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n{"id":1}`)),
    'one long header': unknown(raw(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n{"id":1}`)),
    'a page in the place of JSON': unknown(json(200, '<html>done</html>', html)),
    'a list in the place of a record': unknown(json(200, [{ id: 1, status: 'done' }])),
    'an inherited id': unknown(
      json(201, '{"__proto__":{"id":"p","status":"done"},"toString":"done","constructor":{"id":"p"}}'),
    ),
    'an id with a line break': unknown(json(201, { id: '1\r\nx: y', status: 'done' })),
    'an id that is no whole number': unknown(json(201, { id: 6.5, status: 'done' })),
    'a page of 64 KiB of <script': refused(json(400, '<script'.repeat(9_362), html)),
    'an error of 99,000 fields': unknown(json(422, `{"errors":[${'{"a":"b"},'.repeat(99_000)}{}]}`)),
    'an error of deep arrays': unknown(json(422, '['.repeat(100_000) + ']'.repeat(100_000))),
    'an error of forged text': refused(json(422, { message: forgedText, [forgedText]: forgedText })),
    'a wait for ever': refused(json(422, '', { 'retry-after': '9'.repeat(400) })),
  };
}

/** Statuses that lead elsewhere: who follows shows the stranger the token, and pays there once more. */
export function redirects(strangerUrl: string): Readonly<Record<string, Plan>> {
  const location = `${strangerUrl}/v1/payout/pix`;
  const statuses = [300, 301, 302, 303, 305, 307, 308];
  return Object.fromEntries(
    statuses.map((status) => [`a redirect by ${String(status)}`, unknown(json(status, '', { location }))]),
  );
}

/** Answers that are well formed, and false. */
export function falseRecords(strangerUrl: string): Readonly<Record<string, Plan>> {
  const claimed = (id: string | number, more: object = {}): Lie =>
    json(201, { id, status: 'claimed', ...more });
  const record = (id: string, more: object): Lie => json(200, { id, status: 'done', value: 25, ...more });
  return {
    'the identifier of another merchant': {
      creation: claimed('theirs'),
      reads: { theirs: record('theirs', { partner_code: 'of-somebody-else' }) },
      ...{ status: 'claimed', attention: 'inconsistent_answer' },
    },
    'the identifier of another merchant’s payout that is done': {
      creation: json(201, { id: 'theirs-done', status: 'done' }),
      reads: { 'theirs-done': record('theirs-done', { partner_code: 'of-somebody-else' }) },
      ...{ status: 'submitting', attention: 'inconsistent_answer' },
    },
    'another value': {
      creation: claimed('dear'),
      reads: { dear: record('dear', { value: 99_999 }) },
      ...{ status: 'claimed', attention: 'inconsistent_answer' },
    },
    'an identifier that climbs': {
      creation: claimed('../../v1/payout/pix?a=b#'),
      ...{ status: 'claimed', attention: 'unreadable' },
    },
    'a read that leads elsewhere': {
      creation: claimed('moved'),
      reads: { moved: json(302, '', { location: `${strangerUrl}/v1/payout/moved` }) },
      ...{ status: 'claimed', attention: 'unreadable' },
    },
    'a read without an end': {
      creation: claimed('endless'),
      reads: { endless: endless(' ', () => undefined) },
      ...{ status: 'claimed', attention: 'unreadable' },
    },
    'a status with what is invisible': {
      creation: claimed('forged', { note: forgedText }),
      reads: { forged: record('forged', { status: 'do\u200bne' }) },
      ...{ status: 'do_ne', attention: 'unrecognised_status' },
    },
    'the name of a member of every object as identifier and status': {
      creation: claimed('__proto__'),
      reads: { ['__proto__']: json(200, { id: '__proto__', status: 'toString' }) },
      ...{ status: 'tostring', attention: 'unrecognised_status' },
    },
    cookies: {
      creation: json(201, { id: 'cookies', status: 'claimed' }, { 'set-cookie': 'session=theirs; path=/' }),
      reads: { cookies: json(200, { id: 'cookies', status: 'done' }, { 'set-cookie': 'session=theirs' }) },
      ...{ status: 'done', attention: null },
    },
    'numbers as texts, as text/plain': {
      creation: claimed(5),
      reads: { 5: json(200, { id: '5', status: 'done', value: '25.00' }, { 'content-type': 'text/plain' }) },
      ...{ status: 'done', attention: null },
    },
  };
}
