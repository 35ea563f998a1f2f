import type { Endpoint } from '../domain/retry-table.js';
import type { PaymentsService } from './payments-service.js';

/** Makes the call and returns what it returns; `endpoint` names it without anything of a payment. */
export type ObserveCall = <Result extends { outcome: string }>(
  endpoint: Endpoint,
  call: () => Promise<Result>,
) => Promise<Result>;

/** A client of the service each of whose calls is made by `observe`. */
export function observedService(service: PaymentsService, observe: ObserveCall): PaymentsService {
  function observed<Given extends readonly unknown[], Result extends { outcome: string }>(
    endpoint: Endpoint,
    call: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return (...given) => observe(endpoint, () => call(...given));
  }
  return {
    authenticate: observed('POST /v1/auth', () => service.authenticate()),
    createCardOrder: observed('POST /v1/order', (...given) => service.createCardOrder(...given)),
    readOrder: observed('GET /v1/order/{id}', (...given) => service.readOrder(...given)),
    requestRefund: observed('PUT /v1/order/{id}/refund', (...given) => service.requestRefund(...given)),
    createCheckout: observed('POST /v1/checkout', (...given) => service.createCheckout(...given)),
    createThreeDSecureOrder: observed('POST /v1/3ds/order', (...given) =>
      service.createThreeDSecureOrder(...given),
    ),
    completeThreeDSecureOrder: observed('PUT /v1/3ds/order/{id}', (...given) =>
      service.completeThreeDSecureOrder(...given),
    ),
    readThreeDSecureToken: observed('GET /v1/3ds/token', (...given) =>
      service.readThreeDSecureToken(...given),
    ),
    createTransferPayout: observed('POST /v1/payout/transfer', (...given) =>
      service.createTransferPayout(...given),
    ),
    createPixPayout: observed('POST /v1/payout/pix', (...given) => service.createPixPayout(...given)),
    readPayout: observed('GET /v1/payout/{id}', (...given) => service.readPayout(...given)),
    listPayouts: observed('GET /v1/payouts', (...given) => service.listPayouts(...given)),
    validateAccount: observed('POST /v1/account/validate', (...given) => service.validateAccount(...given)),
    close: () => service.close(),
  };
}
