// The SDK loads this file by its path, with require() and into the workflow bundle: hence plain CommonJS.
const {
  ApplicationFailure,
  ApplicationFailureCategory,
  DefaultFailureConverter,
} = require('@temporalio/common');

const encrypted = new DefaultFailureConverter({ encodeCommonAttributes: true });
const readable = new DefaultFailureConverter({ encodeCommonAttributes: false });

const isRefusal = (error) =>
  error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;

// What an operation of the Nexus service refuses: its caller may have no codec.
const isNexusRefusal = (error) =>
  error instanceof Error && error.name === 'HandlerError' && isRefusal(error.cause);

// The answer to a query of events that are not handled yet, as src/domain/ask-again.ts has it. It may come from another
// V8 context, that of a workflow, whose errors are no instances of this one's.
const askAgain = 'Ask again: the workflow has not handled its newest events yet.';
const isAskAgain = (error) => error?.message === askAgain;

// Messages and stack traces become payloads, which the codec encrypts like all others. Refusals of commands, and they
// alone are benign, hold no personal data: the Web UI shows them as they are, with or without a codec.
exports.failureConverter = {
  errorToFailure: (error, payloads) =>
    isRefusal(error) || isNexusRefusal(error) || isAskAgain(error)
      ? { ...readable.errorToFailure(error, payloads), stackTrace: '' }
      : encrypted.errorToFailure(error, payloads),
  failureToError: (failure, payloads) => encrypted.failureToError(failure, payloads),
};
