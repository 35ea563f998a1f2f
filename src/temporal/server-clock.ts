import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { TaskQueueType } = proto.temporal.api.enums.v1;

const measuredForMs = 60_000;

/**
 * Temporal's time, which decides what is late: clocks of machines differ, and are set. Until it was measured, and where it
 * can't be, it is this machine's own.
 */
export class ServerClock {
  #measured = { theirs: Date.now(), at: performance.now() };
  #isMeasured = false;
  #latest = { begunAt: -Infinity, measuring: Promise.resolve<number | null>(null) };

  constructor(private readonly client: Client) {}

  /** Milliseconds since the epoch, by the last measurement and a clock that nobody sets. */
  readonly now = (): number => Math.round(this.#measured.theirs + performance.now() - this.#measured.at);

  /** Measures anew; answers as {@link clockOffsetMs}. */
  async measure(): Promise<number | null> {
    const offset = await clockOffsetMs(this.client);
    if (offset === null) return null;
    this.#measured = { theirs: Date.now() - offset, at: performance.now() };
    this.#isMeasured = true;
    return offset;
  }

  /** As `current`, or by an earlier measurement; null where there is none. */
  async currentIfMeasured(): Promise<number | null> {
    await this.current().catch(() => undefined);
    return this.#isMeasured ? this.now() : null;
  }

  /** As `now`, measured a minute ago at most. @throws what the client throws */
  async current(): Promise<number> {
    const begunAt = performance.now();
    if (begunAt - this.#latest.begunAt >= measuredForMs) {
      this.#latest = { begunAt, measuring: this.measure() };
    }
    try {
      await this.#latest.measuring;
    } catch (error) {
      this.#latest = { begunAt: -Infinity, measuring: Promise.resolve(null) };
      throw error;
    }
    return this.now();
  }
}

/** Temporal takes no poll that would end sooner. */
const pollMs = 5_000;
const maxReads = 20;
const readEveryMs = 50;

/**
 * How far this machine's clock is ahead of Temporal's, in milliseconds, to within the time of a call. Null when it
 * could not be measured.
 *
 * Temporal has no call that returns its time. It does return when a task queue was last polled, so this polls a task
 * queue of its own and reads that time.
 */
export async function clockOffsetMs(client: Client): Promise<number | null> {
  const { namespace } = client.options;
  const taskQueue = { name: `clock-${randomUUID()}` };
  const ended = new AbortController();
  const before = Date.now();
  const poll = client.withDeadline(before + pollMs, () =>
    client.withAbortSignal(ended.signal, () =>
      client.workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity: 'clock' }),
    ),
  );
  // This poll never gets a task. It ends when it is aborted.
  poll.catch(() => undefined);
  try {
    for (let read = 0; read < maxReads; read += 1) {
      const { pollers } = await client.workflowService.describeTaskQueue({
        namespace,
        taskQueue,
        taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
      });
      const polledAt = pollers[0]?.lastAccessTime;
      if (polledAt != null) {
        const theirs = Number(polledAt.seconds ?? 0) * 1_000 + (polledAt.nanos ?? 0) / 1_000_000;
        // The poll arrived somewhere between these two readings of our clock.
        return (before + Date.now()) / 2 - theirs;
      }
      await sleep(readEveryMs);
    }
    return null;
  } finally {
    ended.abort();
  }
}
