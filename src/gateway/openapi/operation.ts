/** An operation of an OpenAPI document, as far as it is changed here. */
export type Operation = {
  summary?: string;
  description?: string;
  security?: unknown;
  parameters?: unknown[];
  operationId?: string;
  requestBody?: object;
  responses?: Record<string, object>;
};
