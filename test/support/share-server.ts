import type { TestProject } from 'vitest/node';
import { connectClient, plainTarget } from '../../src/temporal/connection.js';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { shareBundle } from './share-bundle.js';
import { testDataConverter } from './temporal-data-converter.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Temporal server of this test run listens. */
    temporalAddress: string;
    /** Which one it is, as the columns of docs/temporal-operations.md name it. */
    temporalServer: 'embedded' | 'newest';
    /** The program that skips time. */
    timeSkippingServerPath: string;
  }
}

/** Payments of the tests continue as new after a few dozen steps, or Updates, instead of thousands. */
export const shortHistories = {
  'limit.historyCount.suggestContinueAsNew': 150,
  'history.maxTotalUpdates': 100,
  // What is deleted is gone at once, not half a minute after it has closed.
  'history.transferProcessorEnsureCloseBeforeDelete': false,
  // All files of a run search on one server.
  'frontend.namespaceRPS.visibility': 10_000,
};

type Server = { readonly address: string; readonly namespace: string; stop(): Promise<void> };

/** What all tests of a run share: one Temporal, which is ended after them, and one bundle of the workflows. */
export async function shareServer(
  project: TestProject,
  name: 'embedded' | 'newest',
  server: Server,
): Promise<() => Promise<void>> {
  const removeBundle = await shareBundle(project);
  const opened = await connectClient(plainTarget(server.address), testDataConverter);
  await ensureSearchAttributes(opened.connection, server.namespace);
  await opened.close();

  project.provide('temporalAddress', server.address);
  project.provide('temporalServer', name);
  return async () => {
    try {
      await server.stop();
    } finally {
      await removeBundle();
    }
  };
}
