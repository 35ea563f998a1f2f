/** Control and format characters move cursors, reverse lines and hide words; joiners are part of some scripts. */
const invisible = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}]/u;
const unprintable = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Whether a text has control or format characters, which no text from outside may have. */
export function hasInvisibleCharacters(text: string): boolean {
  return invisible.test(text);
}

/** A text as a terminal may get it: nothing in it moves the cursor, sets the clipboard or reverses a line. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '');
}

/** As {@link printable}, on one line: what someone else wrote can't add a line of its own. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/[\r\n\u2028\u2029]+/g, ' '));
}

/** JSON for a terminal or a program: the same value, every unprintable character written as its escape. */
export function printableJson(value: unknown, layout: 'indented' | 'one line' = 'indented'): string {
  return JSON.stringify(value, null, layout === 'indented' ? 2 : 0).replaceAll(unprintable, (character) =>
    [...Array(character.length).keys()].map((at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, '0')}`;
}
