import type { Fault } from './fault.js';
import type { Life, Listing, PostbackStyle, RefundFate, Scenario } from './scenario.js';
import { magicNumbers, scenarios, usual } from './scenarios.js';
import { ServiceError } from './service-error.js';

/** What a call does to a payment; a fault belongs to one of these. */
export type Operation = 'create' | 'read' | 'refund' | 'complete';
export type PlannedFault = {
  readonly tag: string;
  readonly operation: Operation;
  readonly fault: Fault;
  readonly lasting: boolean;
};

/** What the tags of one request make of it, now and later. */
export type Plan = {
  readonly order: Life;
  readonly payout: Life;
  readonly validation: Life;
  readonly refund: RefundFate;
  readonly postbacks: PostbackStyle;
  readonly listing: Listing;
  readonly paysByItself: boolean;
  readonly faults: readonly PlannedFault[];
};

const usualPlan: Plan = {
  ...usual,
  postbacks: 'normal',
  listing: 'at once',
  paysByItself: false,
  faults: [],
};

const prefixes: readonly (readonly [string, Operation])[] = [
  ['read-', 'read'],
  ['refund-', 'refund'],
  ['completion-', 'complete'],
];
const retryOfOurs = /-r\d+$/;

/**
 * The plan that the texts of a request ask for: `sandbox:tag` or `sandbox+tag` anywhere in them, more tags joined
 * by `+`, or a whole text that is one of the magic numbers. A fault tag may start with `read-`, `refund-` or
 * `completion-` (which call it disturbs; else the creating one) and end in `-always` (else once per partner_code).
 */
export function planOf(texts: readonly string[], partnerCode: string, previous: Plan = usualPlan): Plan {
  const tags = new Set(texts.flatMap(tagsIn));
  return [...tags].reduce((plan, tag) => add(plan, tag, partnerCode), previous);
}

function tagsIn(text: string): string[] {
  const magic = magicNumbers.get(text);
  const written = [...text.toLowerCase().matchAll(/sandbox[:+]([a-z0-9+-]+)/g)];
  return [
    ...(magic === undefined ? [] : [magic]),
    ...written.flatMap((match) => (match[1] ?? '').split('+')),
  ].filter((tag) => tag !== '');
}

function add(plan: Plan, tag: string, partnerCode: string): Plan {
  const scenario = scenarios.get(tag);
  if (scenario !== undefined && scenario.fault === undefined) return live(plan, scenario, partnerCode);
  return { ...plan, faults: [...plan.faults, plannedFault(tag)] };
}

function live(plan: Plan, scenario: Scenario, partnerCode: string): Plan {
  if (scenario.firstAttemptOnly && retryOfOurs.test(partnerCode)) return plan;
  return {
    order: scenario.order ?? plan.order,
    payout: scenario.payout ?? plan.payout,
    validation: scenario.validation ?? plan.validation,
    refund: scenario.refund ?? plan.refund,
    postbacks: scenario.postbacks ?? plan.postbacks,
    listing: scenario.listing ?? plan.listing,
    paysByItself: scenario.paysByItself ?? plan.paysByItself,
    faults: plan.faults,
  };
}

function plannedFault(tag: string): PlannedFault {
  const [prefix, operation] = prefixes.find(([start]) => tag.startsWith(start)) ?? ['', 'create' as const];
  const always = tag.endsWith('-always');
  const scenario = scenarios.get(tag.slice(prefix.length, always ? -'-always'.length : undefined));
  if (scenario?.fault === undefined) {
    throw new ServiceError(
      422,
      'unknown_scenario',
      `The sandbox has no scenario "${tag}": docs/sandbox.md lists them.`,
    );
  }
  return { tag, operation, fault: scenario.fault, lasting: always || scenario.lasting === true };
}
