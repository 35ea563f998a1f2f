/** The answer to a query that came to a worker before the workflow had handled its newest events. Holds no data. */
export const askAgain = 'Ask again: the workflow has not handled its newest events yet.';

/** The header of a query in which our clients state when they asked, in milliseconds since 1970. */
export const askedAtHeader = 'asked-at';
