import { z } from 'zod';

const base64 = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'must be base64');

/** Payloads as the codec endpoint takes and answers them: protobuf's JSON form. */
export const codecPayloads = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
    .max(1_000)
    // The `temporal` command asks with `{}` where there is nothing to convert.
    .default([]),
});
export type CodecPayloads = z.infer<typeof codecPayloads>;
