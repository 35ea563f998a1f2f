/** The answer to a query that came to a worker before the workflow had handled its newest events. Holds no data. */
export const askAgain = 'Ask again: the workflow has not handled its newest events yet.';
