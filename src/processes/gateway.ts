import type { GatewayConfig } from '../config/settings.js';
import { createDataConverter } from '../temporal/data-converter.js';
import { EncryptionCodec } from '../temporal/payload-codec.js';
import { ensureSearchAttributes } from '../temporal/search-attributes.js';
import { connectWorker } from '../temporal/worker-connection.js';
import { startGatewayServer } from './gateway-server.js';
import type { Logger } from './logger.js';
import { createPaymentsParts } from './payments-parts.js';
import { closing, startStack } from './running.js';
import type { Running } from './running.js';

/** The process of `durable-payments gateway`: any number of them behind one address. */
export async function startGatewayProcess(config: GatewayConfig, logger: Logger): Promise<Running> {
  return startStack(async (stack) => {
    const { payloadKeys, temporal } = config;
    const dataConverter = createDataConverter(payloadKeys);
    const opened = await connectWorker(temporal, dataConverter);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, temporal.namespace);
    const parts = createPaymentsParts(opened.client, config);
    stack.add(closing(() => parts.close()));
    const codec =
      payloadKeys === 'none'
        ? undefined
        : ({
            codec: new EncryptionCodec(payloadKeys),
            path: '/codec',
            auth: 'bearer',
            origins: config.uiOrigins,
            hosts: [new URL(config.publicUrl).host],
          } as const);
    stack.add(
      await startGatewayServer({
        ...opened,
        dataConverter,
        config,
        parts,
        logger,
        ...(codec === undefined ? {} : { codec }),
      }),
    );
    return stack;
  });
}
