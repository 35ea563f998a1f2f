import type { Logger } from './logger.js';

/**
 * Ends the process on an error that nobody caught, with words that hold nothing of a payment: Node's own would print
 * the error whole, and with it what it was about.
 */
export function endOnUncaught(logger: Logger): void {
  const end = (error: unknown) => {
    logger.fatal({ error }, 'an error that nobody caught: this process ends');
    logger.flush();
    console.error(
      'It ended by an error that nobody caught; the log says which. Nothing is lost: start it again.',
    );
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
