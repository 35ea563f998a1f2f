import { createHmac, timingSafeEqual } from 'node:crypto';

const macOf = (key: Uint8Array, workflowId: string) =>
  createHmac('sha256', key).update('postback\0').update(workflowId).digest();

/**
 * The last path segment of a notification_url: the workflow id and its HMAC-SHA256. Whoever holds it can hint
 * that a read is due, no more. Made by the first key; see {@link workflowIdOfCapability}.
 */
export function postbackCapability(keys: readonly [Uint8Array, ...Uint8Array[]], workflowId: string): string {
  return `${Buffer.from(workflowId).toString('base64url')}.${macOf(keys[0], workflowId).toString('base64url')}`;
}

/** The workflow id of a capability made with any of the keys; undefined for everything else. */
export function workflowIdOfCapability(keys: readonly Uint8Array[], capability: string): string | undefined {
  if (capability.length > 512) return undefined;
  const [idPart, macPart, ...rest] = capability.split('.');
  if (idPart === undefined || macPart === undefined || rest.length > 0) return undefined;
  const workflowId = Buffer.from(idPart, 'base64url').toString('utf8');
  const mac = Buffer.from(macPart, 'base64url');
  const genuine = keys.some((key) => {
    const expected = macOf(key, workflowId);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  });
  return genuine ? workflowId : undefined;
}
