import { Argument, Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** What may follow the words typed so far: `payout list` → its options. */
type Words = ReadonlyMap<string, readonly string[]>;

/** `durable-payments completion bash|zsh|fish` */
export function completionCommand(loadAll: () => Promise<Command[]>): Command {
  return new Command('completion')
    .description('Print what completes these commands in a shell; the shell reads it when it starts.')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      '\nbash: durable-payments completion bash > ~/.local/share/bash-completion/completions/durable-payments' +
        '\nzsh:  durable-payments completion zsh > a file named _durable-payments in a folder of $fpath' +
        '\nfish: durable-payments completion fish > ~/.config/fish/completions/durable-payments.fish',
    )
    .action(async (shell: Shell) => {
      const commands = await loadAll();
      const words = new Map<string, readonly string[]>([['', commands.map((command) => command.name())]]);
      for (const command of commands) collect(words, command, command.name());
      console.log(scripts[shell](words));
    });
}

function collect(words: Map<string, readonly string[]>, command: Command, path: string): void {
  const options = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
  words.set(path, [...command.commands.map((sub) => sub.name()), ...options, '--help']);
  for (const sub of command.commands) collect(words, sub, `${path} ${sub.name()}`);
}

const scripts: Record<Shell, (words: Words) => string> = {
  bash: (words) => `_durable_payments() {
  local path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) ;; *) case "\${path:+$path }$word" in
${cases(words, '      ')}
    esac ;; esac
  done
  case "$path" in
${answers(words, '    ')}
  esac
}
complete -o default -F _durable_payments durable-payments`,
  zsh: (words) => `#compdef durable-payments
_durable_payments() {
  local path_typed="" word
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$word" in -*) ;; *) case "\${path_typed:+$path_typed }$word" in
${cases(words, '      ').replaceAll('path=', 'path_typed=').replaceAll('$path', '$path_typed')}
    esac ;; esac
  done
  case "$path_typed" in
${[...words].map(([path, next]) => `    "${path}") compadd -- ${next.join(' ')} ;;`).join('\n')}
  esac
}
compdef _durable_payments durable-payments`,
  fish: (words) => [...words].flatMap(([path, next]) => next.map((word) => fishLine(path, word))).join('\n'),
};

/** A word that belongs to a command goes on the path; whatever else is an argument. */
function cases(words: Words, indent: string): string {
  const paths = [...words.keys()].filter((path) => path !== '');
  return `${indent}${paths.map((path) => `"${path}"`).join('|')}) path="\${path:+$path }$word" ;;`;
}

function answers(words: Words, indent: string): string {
  return [...words]
    .map(
      ([path, next]) =>
        `${indent}"${path}") COMPREPLY=($(compgen -W "${next.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`,
    )
    .join('\n');
}

function fishLine(path: string, word: string): string {
  const seen =
    path === ''
      ? '__fish_use_subcommand'
      : `__fish_seen_subcommand_from ${path.split(' ').join('; and __fish_seen_subcommand_from ')}`;
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
  return `complete -c durable-payments -n '${seen}' ${what}`;
}
