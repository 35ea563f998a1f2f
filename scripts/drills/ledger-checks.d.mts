export function payoutOf(attemptCode: string): string;
