import type {
  CompletionRequest,
  CustomerOrderRequest,
  OrderRequest,
  PayoutQuery,
  PayoutRequest,
  ValidationRequest,
} from './requests.js';
import type {
  Creation,
  IssuedToken,
  OrderRecord,
  PayoutList,
  PayoutRecord,
  ServiceResult,
} from './result.js';

/** What goes with a call that creates something. */
export type CreatingCall = {
  token: string;
  /** The service rejected the token before this one, so a further 401 or 403 speaks of the request. */
  tokenIsNew: boolean;
  /**
   * Called once, when the connection stands and the next thing would be the first byte: why the request must not
   * be sent any more, or undefined when it may.
   */
  refusal: () => string | undefined;
};

export type ReadingCall = { token: string };

/**
 * The service's 13 endpoints. No method throws for what the service or the network does, none repeats a
 * call, none follows a redirect. Creating calls take a connection of their own.
 */
export type PaymentsService = {
  /** `POST /v1/auth` */
  authenticate(): Promise<ServiceResult<IssuedToken>>;
  /** `POST /v1/order` */
  createCardOrder(request: OrderRequest, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** `GET /v1/order/{id}` */
  readOrder(id: string, call: ReadingCall): Promise<ServiceResult<OrderRecord>>;
  /** `PUT /v1/order/{id}/refund` */
  requestRefund(id: string, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** `POST /v1/checkout` */
  createCheckout(request: CustomerOrderRequest, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** `POST /v1/3ds/order` */
  createThreeDSecureOrder(
    request: CustomerOrderRequest,
    call: CreatingCall,
  ): Promise<ServiceResult<Creation>>;
  /** `PUT /v1/3ds/order/{id}` */
  completeThreeDSecureOrder(
    id: string,
    request: CompletionRequest,
    call: CreatingCall,
  ): Promise<ServiceResult<Creation>>;
  /** `GET /v1/3ds/token` */
  readThreeDSecureToken(call: ReadingCall): Promise<ServiceResult<{ token: string }>>;
  /** `POST /v1/payout/transfer` */
  createTransferPayout(request: PayoutRequest, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** `POST /v1/payout/pix` */
  createPixPayout(request: PayoutRequest, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** `GET /v1/payout/{id}` */
  readPayout(id: string, call: ReadingCall): Promise<ServiceResult<PayoutRecord>>;
  /** `GET /v1/payouts` */
  listPayouts(query: PayoutQuery, call: ReadingCall): Promise<ServiceResult<PayoutList>>;
  /** `POST /v1/account/validate` */
  validateAccount(request: ValidationRequest, call: CreatingCall): Promise<ServiceResult<Creation>>;
  /** Ends the connections that reads keep. */
  close(): Promise<void>;
};
