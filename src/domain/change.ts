/** What changes of the facts of a payment. Of what happened, `news` are lines for its timeline; `what` is one if its status changes. */
export type Change<Facts> = Partial<Facts> & { readonly what?: string; readonly news?: readonly string[] };
