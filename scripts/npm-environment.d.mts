export function npmEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string>;
