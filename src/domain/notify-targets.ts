/** A webhook that the OMS may be told by: only these are ever called. */
export type NotifyTarget = {
  readonly name: string;
  readonly url: string;
  /** `whsec_…`: each signs, so that a receiver can change from one to the next. */
  readonly secrets: readonly string[];
  /** Whether its name may lead to an address of a private network. */
  readonly mayBePrivate: boolean;
};

/** The target of that name, or of exactly that URL; undefined for anything else. */
export function findNotifyTarget<Target extends Pick<NotifyTarget, 'name' | 'url'>>(
  targets: readonly Target[],
  webhook: unknown,
): Target | undefined {
  if (typeof webhook !== 'string') return undefined;
  return targets.find(({ name, url }) => name === webhook || url === webhook || url === normal(webhook));
}

function normal(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).href : undefined;
}
