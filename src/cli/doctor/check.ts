/** What `doctor` looked at: whether it is as it should be, what was seen, and what to do when it is not. */
export type DoctorCheck = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly action: string | null;
};

/** A check that is as it should be; `detail` is what was seen. */
export function passed(name: string, detail: string): DoctorCheck {
  return { name, ok: true, detail, action: null };
}

/** A check that is not as it should be: what was seen, and what to do about it. */
export function failed(name: string, detail: string, action: string): DoctorCheck {
  return { name, ok: false, detail, action };
}

/** What happened, of an error whose text is ours or a code. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown error';
}
