import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseUser } from './local-postgres.mjs';

/** Temporal's two stores: the database of each, and the directory of its schema, as docker-compose.yml has them. */
const stores = {
  default: { database: 'temporal', schema: 'temporal' },
  visibility: { database: 'temporal_visibility', schema: 'visibility' },
};

/** Makes Temporal's databases in a PostgreSQL, and answers how its server is to reach them. */
export async function makeTemporalDatabases(built, { host, port }) {
  for (const { database, schema } of Object.values(stores)) {
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
    await tool('update-schema', '-d', join(built, 'schema/postgresql/v12', schema, 'versioned'));
  }
  const datastores = Object.entries(stores).map(([store, { database: databaseName }]) => [
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
  return Object.fromEntries(datastores);
}
