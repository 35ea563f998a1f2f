import type { FastifyRequest } from 'fastify';

/** Of what is not there nothing is repeated: a caller may have sent anything in place of a partner_code. */
export function knownWorkflowId({ workflowId }: FastifyRequest, status: number): string | undefined {
  const isThere = status < 400 || status === 409;
  return isThere ? (workflowId ?? undefined) : undefined;
}
