/** Told what a long step is doing at the moment, as often as there is something to tell. */
export type OnProgress = (message: string) => void;
