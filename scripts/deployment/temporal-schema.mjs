import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseUser } from './local-postgres.mjs';

/** Of Temporal's two stores: their databases, by the names of their schemas. */
const databases = { default: 'temporal', visibility: 'temporal_visibility' };
const schemas = { default: 'temporal', visibility: 'visibility' };

/** Makes Temporal's databases in a PostgreSQL, and answers how its server is to reach them. */
export async function makeTemporalDatabases(built, { host, port }) {
  for (const [store, database] of Object.entries(databases)) {
    const where = [
      '--plugin',
      'postgres12',
      '--ep',
      host,
      '-p',
      String(port),
      '-u',
      databaseUser,
      '--db',
      database,
    ];
    const tool = (...args) => promisify(execFile)(join(built, 'temporal-sql-tool'), [...where, ...args]);
    await tool('create');
    await tool('setup-schema', '-v', '0.0');
    await tool('update-schema', '-d', join(built, 'schema/postgresql/v12', schemas[store], 'versioned'));
  }
  const stores = Object.entries(databases).map(([store, databaseName]) => [
    store,
    {
      sql: {
        ...{
          pluginName: 'postgres12',
          databaseName,
          connectAddr: `${host}:${String(port)}`,
          connectProtocol: 'tcp',
        },
        ...{ user: databaseUser, password: '', maxConns: 40, maxIdleConns: 40, maxConnLifetime: '1h' },
      },
    },
  ]);
  return Object.fromEntries(stores);
}
