import { setPriority } from 'node:os';
import { afterAll } from 'vitest';
import './lighter-workers.js';
import { leaveNamespace } from './own-namespace.js';
import { closeReplayers } from './replayer.js';

// The server that the files share comes first. One that gets no processor for a second loses the tasks that it is giving
// away: it has noted their start, and they come again only when their time is over.
setPriority(10);

// Test files share modules; what belongs to one file ends with it.
afterAll(async () => {
  leaveNamespace();
  await closeReplayers();
});
