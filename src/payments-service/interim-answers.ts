import { buildConnector } from 'undici';

/** Answers that only say that the request may go on, at the beginning of what was received. */
const interimAnswers = /^(?:HTTP\/1\.[01] 100(?: [^\r\n]*)?\r?\n(?:[^\r\n]+\r?\n)*\r?\n)+/;
/** More than any such answer has. */
const mostBytes = 4_096;

/**
 * Connects as undici does, and passes over each `100 Continue` before the answer: some servers send one that nobody has
 * asked for, and undici ends the connection at it. For connections on which one request is sent.
 */
export function connectorPastContinue(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null) passOverContinue(socket);
      callback(...result);
    });
  };
}

function passOverContinue(socket: NonNullable<Parameters<buildConnector.Callback>[1]>): void {
  const read = socket.read.bind(socket);
  let held: Buffer | undefined = Buffer.alloc(0);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (held === undefined || !Buffer.isBuffer(chunk)) return chunk;
    const received = Buffer.concat([held, chunk]);
    const answer = received.subarray(interimAnswers.exec(received.toString('latin1'))?.[0].length ?? 0);
    held = answer.length < mostBytes && mayBeInterim(answer) ? answer : undefined;
    return held === undefined ? answer : null;
  };
}

/** Whether more has to be received before it is known what this is. */
function mayBeInterim(answer: Buffer): boolean {
  const start = answer.subarray(0, 'HTTP/1.1 100'.length).toString('latin1');
  return ['HTTP/1.1 100', 'HTTP/1.0 100'].some((interim) => interim.startsWith(start));
}
