import type { WorkflowInterceptors } from '@temporalio/workflow';

/** The header in which Temporal's interceptors for OpenTelemetry carry a trace, in every SDK. */
const header = '_tracer-data';
/** A `traceparent` takes about a hundred; more may be anything, and would be stored with every activity. */
const maxBytes = 512;

/**
 * Hands the trace of a start to the activities, children and later runs of the workflow. It makes no span, waits for
 * nothing and adds no command, so that a history replays the same whether there was a trace or not.
 */
export function passTraceOn(): Required<Pick<WorkflowInterceptors, 'inbound' | 'outbound'>> {
  let trace: object = {};
  const withTrace = <Input extends { readonly headers: object }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          const given = input.headers[header];
          if (given !== undefined && (given.data?.length ?? 0) <= maxBytes) trace = { [header]: given };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
}
