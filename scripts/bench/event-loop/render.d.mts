/** The description of a request: JSON, so that it can be printed and repeated. */
export type Description = { readonly [part: string]: unknown };

/** What the search knows of a route. */
export type Shape = {
  readonly route: string;
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly types: readonly string[];
  readonly example: object;
  readonly fields: readonly {
    readonly path: string;
    readonly type?: string;
    readonly most?: number;
    readonly isOpen?: boolean;
  }[];
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly headers: readonly string[];
};

export type Rendered = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly content: Buffer;
  readonly chunk: number;
};

export function rendered(request: Description, shape: Shape): Rendered;
