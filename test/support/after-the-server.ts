import { setPriority } from 'node:os';

/**
 * The server that the files share comes first. One that gets no processor for a second loses the tasks that it is giving
 * away: it has noted their start, and they come again only when their time is over.
 */
setPriority(10);
