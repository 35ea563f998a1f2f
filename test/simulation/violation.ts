/** An invariant that does not hold: a bug of a lifecycle, or of the simulation. */
export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    readonly invariant: string,
    detail: string,
  ) {
    super(`${invariant}: ${detail}`);
  }
}
