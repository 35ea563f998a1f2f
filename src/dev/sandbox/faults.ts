import { z } from 'zod';
import { endpointNames, type EndpointName } from './endpoints.js';
import { faultSchema, type Fault } from './fault.js';
import type { Operation, Plan } from './plan.js';
import { scenarios } from './scenarios.js';

/** A fault armed by hand; `fault` is a description or the name of a tag of the table. */
export const armedFaultSchema = z.strictObject({
  endpoint: z.enum(endpointNames),
  fault: z.union([
    faultSchema,
    z.string().transform((tag, context) => {
      const fault = scenarios.get(tag)?.fault;
      if (fault === undefined) context.addIssue(`is not the name of a fault in docs/sandbox.md`);
      return fault ?? z.NEVER;
    }),
  ]),
  times: z.int().min(1).default(1),
  partner_code: z.string().optional(),
});

export type ArmedFaultInput = z.input<typeof armedFaultSchema>;
export type ArmedFault = z.infer<typeof armedFaultSchema>;

/** Whose call it is: the payment's code and plan. */
export type Subject = { readonly partnerCode: string; readonly plan: Plan };

/** Decides what goes wrong with a call: faults armed by hand come first, then those of the payment's own tags. */
export class Faults {
  #armed: ArmedFault[] = [];
  readonly #spent = new Set<string>();

  arm(fault: ArmedFault): void {
    this.#armed.push({ ...fault });
  }

  list(): readonly ArmedFault[] {
    return this.#armed.map((armed) => ({ ...armed }));
  }

  clear(): void {
    this.#armed = [];
    this.#spent.clear();
  }

  next(
    endpoint: EndpointName,
    operation: Operation | undefined,
    subject: Subject | undefined,
  ): Fault | undefined {
    return this.#nextArmed(endpoint, subject?.partnerCode) ?? this.#nextPlanned(endpoint, operation, subject);
  }

  #nextArmed(endpoint: EndpointName, partnerCode: string | undefined): Fault | undefined {
    const armed = this.#armed.find(
      (candidate) =>
        candidate.endpoint === endpoint &&
        (candidate.partner_code === undefined || candidate.partner_code === partnerCode),
    );
    if (armed === undefined) return undefined;
    armed.times -= 1;
    if (armed.times === 0) this.#armed = this.#armed.filter((other) => other !== armed);
    return armed.fault;
  }

  #nextPlanned(
    endpoint: EndpointName,
    operation: Operation | undefined,
    subject: Subject | undefined,
  ): Fault | undefined {
    if (subject === undefined) return undefined;
    const planned = subject.plan.faults.filter((fault) => fault.operation === operation);
    for (const { tag, fault, lasting } of planned) {
      const use = `${endpoint} ${tag} ${subject.partnerCode}`;
      if (lasting || this.#spent.has(use)) continue;
      this.#spent.add(use);
      return fault;
    }
    return planned.filter(({ lasting }) => lasting).reduce(combined, undefined);
  }
}

function combined(previous: Fault | undefined, { fault }: { fault: Fault }): Fault {
  if (previous === undefined) return fault;
  return { ...previous, ...fault, reshape: [...(previous.reshape ?? []), ...(fault.reshape ?? [])] };
}
