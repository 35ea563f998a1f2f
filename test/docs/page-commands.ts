import { expect } from 'vitest';
import { codeBlocks, documents, prose, textOf } from './markdown.js';
import { commandsOf } from './shell.js';

/** A command of a document in its words, and where it stands. */
type Command = { readonly at: string; readonly words: readonly string[] };

/** Those of all shell blocks. */
export const commands: readonly Command[] = documents()
  .flatMap((document) => codeBlocks(document, 'sh'))
  .flatMap(({ at, code }) => commandsOf(code).map((words) => ({ at, words })));
const inline = documents().flatMap((document) =>
  [...prose(document).matchAll(/`((?:npm|npx|temporal|durable-payments) [^`]+)`/g)].map(([, code = '']) => ({
    at: document,
    words: commandsOf(code)[0] ?? [],
  })),
);

/** Those of a program, in sentences too. */
export const commandsOfProgram = (program: string): Command[] =>
  [...commands, ...inline].filter(({ words }) => words[0] === program);

/** Each command is in the help that is printed of it, with every option that it is given. */
export async function expectInHelp(
  named: readonly (Command & { readonly command: string })[],
  usage: string,
  printHelp: (...args: string[]) => Promise<string>,
): Promise<void> {
  expect(named.length).toBeGreaterThan(5);
  const helps = new Map<string, string>();
  for (const { at, command, words } of named) {
    const help = helps.get(command) ?? (await printHelp(...command.split(' '), '--help'));
    helps.set(command, help);
    expect(help, at).toContain(`${usage} ${command} `);
    for (const option of words.filter((word) => /^--[a-z]/.test(word)))
      expect(help, `${at}: ${command}`).toContain(option.split('=')[0]);
  }
}

/** A shell block of a page: its commands as they stand there, and the heading that it is under. */
export type PageBlock = {
  readonly at: string;
  readonly section: string;
  readonly commands: readonly string[];
};

/** A line is over when no quote is open and it does not end in a backslash. */
const command = /(?:\\\n|'[^']*'|"(?:\\.|[^"\\])*"|[^\n'"\\]|\\.)+/g;

/** The shell blocks of a page, in their order. */
function pageBlocks(page: string): PageBlock[] {
  const text = textOf(page);
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(({ 1: code = '', index }) => {
    const before = text.slice(0, index);
    return {
      at: `${page}:${String(before.split('\n').length)}`,
      section: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
      commands: code.match(command) ?? [],
    };
  });
}

/** Pages whose commands are run one by one, each on payments of its own. */
export const pages = [
  'README.md',
  'docs/operations.md',
  'docs/notifications.md',
  'docs/http-api.md',
  'docs/web-ui.md',
];

/** By how a command begins: why it is not run here. */
export const notRun: Readonly<Record<string, string>> = {
  'npm run demo': 'test/processes/demo.process.test.ts runs it',
  'npm test': 'it runs this',
  'npm start': 'it is what these commands are run beside',
};
export const notRunIn: Readonly<Record<string, string>> = {
  awaiting_card:
    'a gateway has to lose its memory: killed-processes.process.test.ts kills one, and sends the same',
  overdue: 'it takes 45 days; the same request is run in the section chargeback',
};

/** Pages whose commands are run, or not, elsewhere. */
export const otherPages: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'they run `.ci/run full`, which runs this',
  'docs/clients/README.md': '`npm run check:clients` runs them',
  'docs/deployment.md':
    'Docker, systemd or a cluster: `npm run check:deployment`, `npm run check:kubernetes`',
  'docs/incidents.md': 'incidents.process.test.ts runs them',
  'docs/metrics.md': '`npm start`, and what it writes for people to read',
  'docs/nexus.md': '`npm run check:clients` does the same, and calls the service',
  'docs/tutorial.md': 'they are played first, with what they print',
  'docs/upgrades.md': '`npm run drill:upgrade` runs them, on the newest Temporal',
};

export const blocks = pages.flatMap(pageBlocks);
