// Run as a process of its own: the SDK starts what it downloads, and its native runtime can't be set up twice.
// Arguments: "dev-server" or "time-skipping", and the directory to download into.
const process = require('node:process');
const { TestWorkflowEnvironment } = require('@temporalio/testing');

const [kind, downloadDir] = process.argv.slice(2);
// The same version that is built from source elsewhere; the server that skips time is pinned by the SDK itself.
const version = kind === 'dev-server' ? { version: 'v1.5.1' } : {};
const server = { executable: { type: 'cached-download', downloadDir, ...version } };
const started =
  kind === 'time-skipping'
    ? TestWorkflowEnvironment.createTimeSkipping({ server })
    : TestWorkflowEnvironment.createLocal({ server });

started
  .then((environment) => environment.teardown())
  .catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
