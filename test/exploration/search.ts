import { createHash } from 'node:crypto';
import type { Violation } from '../simulation/violation.js';

/** A lifecycle with all that may happen to it, as a graph of worlds. */
export type Model<World> = {
  start(): Promise<readonly Move<World>[]>;
  /** Every move that is possible in a world, and where it leads. One that breaks an invariant leads to a violation. */
  moves(world: World): Promise<readonly Move<World>[]>;
  /** The same text for two worlds that behave alike. */
  shape(world: World): string;
};

export type Move<World> = { readonly name: string } & (
  { readonly world: World } | { readonly violation: Violation }
);

/** How far a search goes, and the moves by name that it begins after; from the start without any. */
export type Reach = { readonly depth: number; readonly states: number; readonly after?: readonly string[] };

/** What a search has found. */
export type Explored = {
  readonly states: number;
  readonly moves: number;
  /** How many states were first reached after so many moves. */
  readonly byDepth: readonly number[];
  /** The shortest sequence of moves that breaks an invariant. */
  readonly broken: { readonly path: readonly string[]; readonly why: string } | undefined;
  /** Whether every state up to the depth was looked at. */
  readonly isComplete: boolean;
};

type Path = { readonly before: Path | undefined; readonly move: string };

/** Breadth first, so that what is found is as short as can be. Alike worlds are looked at once. */
export async function search<World>(
  model: Model<World>,
  { after = [], depth, states }: Reach,
): Promise<Explored> {
  const seen = new Set<string>();
  const byDepth: number[] = [];
  let moves = 0;
  let level: { path: Path | undefined; world: World }[] = [];
  let broken: Explored['broken'];
  /** Answers whether the search goes on. */
  const take = (next: typeof level, path: Path | undefined, made: readonly Move<World>[]): boolean => {
    for (const move of made) {
      moves += 1;
      const here = { before: path, move: move.name };
      if ('violation' in move) {
        broken = { path: movesOf(here), why: move.violation.message };
        return false;
      }
      const key = createHash('sha1').update(model.shape(move.world)).digest('base64').slice(0, 14);
      if (seen.has(key)) continue;
      seen.add(key);
      // Those of the last level are not looked at: they would fill the memory.
      if (byDepth.length < depth) next.push({ path: here, world: move.world });
    }
    return seen.size < states;
  };
  let goesOn = true;
  for (const { path, possible } of await movesAfter(model, after))
    goesOn = goesOn && take(level, path, possible);
  let known = 0;
  while (goesOn && seen.size > known) {
    byDepth.push(seen.size - known);
    known = seen.size;
    if (byDepth.length > depth) break;
    const next: typeof level = [];
    for (const { path, world } of level) {
      goesOn = take(next, path, await model.moves(world));
      if (!goesOn) break;
    }
    level = next;
  }
  return { states: seen.size, moves, byDepth, broken, isComplete: goesOn };
}

/** The moves that are possible once others were made. Several of the same name are all followed. */
async function movesAfter<World>(model: Model<World>, made: readonly string[]) {
  type Place = { path: Path | undefined; possible: readonly Move<World>[] };
  let places: Place[] = [{ path: undefined, possible: await model.start() }];
  for (const name of made) {
    const next: Place[] = [];
    for (const { path, possible } of places) {
      for (const move of possible) {
        if (move.name !== name || 'violation' in move) continue;
        next.push({ path: { before: path, move: name }, possible: await model.moves(move.world) });
      }
    }
    places = next;
  }
  return places;
}

function movesOf(last: Path): string[] {
  const moves: string[] = [];
  for (let path: Path | undefined = last; path !== undefined; path = path.before) moves.unshift(path.move);
  return moves;
}
