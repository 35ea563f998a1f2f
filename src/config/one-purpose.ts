import { z } from 'zod';
import { documentationOf, variableNames, type VariableName } from './variables.js';

/** Each secret with where it stands; of a key in base64 its bytes, however they are written. */
type Secret = { readonly variable: VariableName; readonly content: string };

const ofRings: readonly VariableName[] = ['PAYLOAD_KEYS', 'POSTBACK_KEYS'];

/** Whoever is given one secret must not get at what another one protects. */
export const secretsHaveOnePurpose = z.record(z.string(), z.string()).superRefine((values, context) => {
  const seen = new Map<string, VariableName>();
  for (const { variable, content } of variableNames.flatMap((name) => secretsOf(name, values[name]))) {
    const other = seen.get(content) ?? variable;
    seen.set(content, other);
    if (other !== variable) {
      context.addIssue(
        `${variable} holds a secret that ${other} holds too. Use a secret for one purpose: make another for it.`,
      );
    }
  }
});

function secretsOf(variable: VariableName, text: string | undefined): Secret[] {
  if (text === undefined || !documentationOf(variable).secret) return [];
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '' && entry !== 'none');
  return entries.map((entry) => ({ variable, content: contentOf(variable, entry) }));
}

/** `name:key:scope`, `id:base64`, `name=whsec_base64`, or the secret itself. */
function contentOf(variable: VariableName, entry: string): string {
  if (variable === 'API_KEYS') return entry.split(':')[1] ?? entry;
  if (variable === 'NOTIFY_SECRETS') return bytes(entry.replace(/^[^=]*=whsec_/, ''));
  return ofRings.includes(variable) ? bytes(entry.replace(/^[^:]*:/, '')) : entry;
}

/** An API key may have been made of a key's base64, too. */
function bytes(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64');
}
