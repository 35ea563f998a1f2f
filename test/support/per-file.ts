import './after-the-server.js';
import './lighter-workers.js';
import { afterAll } from 'vitest';
import { leaveNamespace } from './own-namespace.js';
import { closeReplayers } from './replayer.js';

// Test files share modules; what belongs to one file ends with it.
afterAll(async () => {
  leaveNamespace();
  await closeReplayers();
});
