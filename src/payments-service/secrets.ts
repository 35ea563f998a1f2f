/** What a call sent that no one may read afterwards: tokens, the client_secret, PAN, CVV. */
export type Secrets = readonly string[];

/** Stands for what is not shown. */
export const hidden = '…';
/** Below this length a secret, such as a CVV, is found only where it stands alone; longer ones anywhere. */
const shortLength = 8;

/** A text of the service with whatever repeats a secret hidden. */
export function hideExact(text: string, secrets: Secrets): string {
  let shown = digitsRepeat(text, secrets) ? hidden : text;
  for (const secret of secrets) {
    if (secret.length >= shortLength) shown = shown.replaceAll(secret, hidden);
    else if (secret !== '')
      shown = shown.replaceAll(new RegExp(`(?<!\\d)${escaped(secret)}(?!\\d)`, 'g'), hidden);
  }
  return shown;
}

/** Whether a text holds one of the long secrets, a PAN also when it is grouped. */
export function repeatsSecret(text: string, secrets: Secrets): boolean {
  return (
    digitsRepeat(text, secrets) ||
    secrets.some((secret) => secret.length >= shortLength && text.includes(secret))
  );
}

function digitsRepeat(text: string, secrets: Secrets): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return secrets.some((secret) => /^\d{12,}$/.test(secret) && digits.includes(secret));
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
