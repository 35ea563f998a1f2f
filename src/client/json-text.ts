import { Tokenizer, TokenType } from '@streamparser/json';
import { fieldOf, type FieldProblem } from '../contract/problems.js';
import { InvalidRequestError } from './errors.js';

type Token = Parameters<Tokenizer['onToken']>[0];
type Level = { readonly names: Set<string> | null; at: string | number };

/** Names that differ in capitals or in blanks are one name to a reader. */
export function foldedName(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Follows the names of a JSON text, token by token. Where one object has a member twice, readers differ in which of
 * both counts: such a text is refused.
 */
export class UniqueNames {
  readonly #open: Level[] = [];
  #text = '';

  /** @param problemOf what a member means that is there twice, by where it stands, from the top */
  constructor(
    private readonly problemOf: (path: readonly (string | number)[]) => FieldProblem = namedTwice,
  ) {}

  /** @throws InvalidRequestError naming a member that is there twice */
  take({ token, value }: Token): void {
    const level = this.#open.at(-1);
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.#open.push({ names: new Set(), at: '' });
        break;
      case TokenType.LEFT_BRACKET:
        this.#open.push({ names: null, at: 0 });
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.#open.pop();
        break;
      case TokenType.STRING:
        this.#text = String(value);
        break;
      case TokenType.COLON:
        if (level !== undefined) this.#name(level, this.#text);
        break;
      case TokenType.COMMA:
        if (typeof level?.at === 'number') level.at += 1;
        break;
      default:
    }
  }

  #name(level: Level, name: string): void {
    const folded = foldedName(name);
    level.at = name;
    if (level.names?.has(folded) === true) {
      throw new InvalidRequestError([this.problemOf(this.#open.map(({ at }) => at))]);
    }
    level.names?.add(folded);
  }
}

/** What a member that is there twice means for the request. */
export function namedTwice(path: readonly PropertyKey[]): FieldProblem {
  return {
    field: fieldOf(path),
    message: 'is there twice, or again in other capitals or blanks: it is not clear which of them counts',
  };
}

/** What a JSON text holds. @throws SyntaxError; InvalidRequestError naming a member that is there twice */
export function jsonIn(text: string): unknown {
  const value: unknown = JSON.parse(text);
  refuseTwice(text);
  return value;
}

/** @param text valid JSON. @throws InvalidRequestError naming a member that is there twice */
export function refuseTwice(text: string): void {
  const names = new UniqueNames();
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => {
    names.take(token);
  };
  tokenizer.write(text);
}
