/** What waits for `passed` goes on once it is open. */
export type Gate = { readonly passed: Promise<void>; readonly open: () => void };

export function gate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
