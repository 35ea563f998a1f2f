/** Control and format characters move cursors, reverse lines and hide words; joiners are part of some scripts. */
const invisible = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Half a character, what is none, and the sign for one that was lost when a text was decoded wrongly. */
const broken = /[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]/u;
/** Blanks of any width at either end; a line break is none. In linear time: no run of blanks is matched from its middle. */
const outerBlanks = /^[\p{Zs}\t]+|(?<![\p{Zs}\t])[\p{Zs}\t]+$/gu;
const unprintable = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What is wrong with a text of one line from outside; undefined when nothing is. */
export function lineFault(text: string): string | undefined {
  if (invisible.test(text)) return 'must not have control or format characters, such as line breaks';
  return broken.test(text)
    ? 'has a broken character, such as \ufffd: take the text from its source again, as UTF-8'
    : undefined;
}

/** A value that was copied with blanks around it, no-break ones included. */
export function withoutOuterBlanks(text: string): string {
  return text.replaceAll(outerBlanks, '');
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
