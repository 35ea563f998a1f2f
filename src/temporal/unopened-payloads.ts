import type { DataConverter, Payload } from '@temporalio/common';
import { PayloadDecryptionError } from './payload-codec.js';

/** @param workflowId of the workflow that it came to, where the SDK names it */
type OnUnopened = (error: PayloadDecryptionError, workflowId: string | undefined) => void;

/**
 * For the worker of workflows. A payload that can't be opened fails nothing as it is decoded: a workflow drops the message
 * that it came with (workflows/shared/unopened-messages.ts). Whoever needs any other one fails as it is converted: for
 * that it has an encoding that no converter knows, which is the reason, for the SDK names the encoding in its error.
 */
export function keepingUnopened(converter: DataConverter, onUnopened: OnUnopened): DataConverter {
  const payloadCodecs = (converter.payloadCodecs ?? []).map((codec) => ({
    encode: codec.encode.bind(codec),
    decode: (payloads: Payload[], context?: { readonly workflowId?: string | undefined }) =>
      Promise.all(
        payloads.map(async (payload) => {
          try {
            const [opened = payload] = await codec.decode([payload]);
            return opened;
          } catch (error) {
            if (!(error instanceof PayloadDecryptionError)) throw error;
            onUnopened(error, context?.workflowId);
            return { metadata: { encoding: Buffer.from(error.message) } };
          }
        }),
      ),
  }));
  return { ...converter, payloadCodecs };
}
