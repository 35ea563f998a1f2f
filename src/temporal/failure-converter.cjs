// The SDK loads this file by its path, with require() and into the workflow bundle: hence plain CommonJS.
const { DefaultFailureConverter } = require('@temporalio/common');

// Messages and stack traces become payloads, which the codec encrypts like all others.
exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
