/** Called with what a long step is doing, whenever that changes. */
export type OnProgress = (message: string) => void;
