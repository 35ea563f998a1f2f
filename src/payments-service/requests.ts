/** The order object of a request, with all that the three creating calls use of it. `value` in reais. */
export type OrderFields = {
  partner_code: string;
  value: number;
  description: string;
  notification_url: string;
  payment_method: string;
  installments?: number;
  redirect_url?: string;
};

/** The service's credit card object. */
export type CardFields = { holder: string; number: string; cvv: string; due_date: string; brand: string };

type CustomerFields = Record<string, unknown>;

/** `POST /v1/order` */
export type OrderRequest = {
  order: OrderFields;
  customer: CustomerFields;
  credit_card: CardFields;
  address?: Record<string, unknown> | undefined;
  risk?: Record<string, unknown> | undefined;
};

/** `POST /v1/checkout` and `POST /v1/3ds/order` */
export type CustomerOrderRequest = { order: OrderFields; customer: CustomerFields };

/** `PUT /v1/3ds/order/{id}` */
export type CompletionRequest = { credit_card: CardFields; credentials: { callback: string; eci: string } };

/** The fields of a payout request. `value` in reais. */
export type PayoutRequest = { partner_code: string; value: number; notification_url: string } & Record<
  string,
  unknown
>;

/** `POST /v1/account/validate` */
export type ValidationRequest = { partner_code: string; notification_url: string } & Record<string, unknown>;

/** `GET /v1/payouts`, query parameters */
export type PayoutQuery = {
  page: number;
  per_page: number;
  status?: string | undefined;
  payment_type?: string | undefined;
  payout_method?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: 'created_at' | 'updated_at' | 'paid_at' | undefined;
  direction?: 'asc' | 'desc' | undefined;
};
