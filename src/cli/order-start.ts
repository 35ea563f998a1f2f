import { Option, type Command } from 'commander';
import { cardOrderInput, hostedCheckoutBody, threeDSecureOrderBody } from '../contract/order.js';
import { checked } from './shared/request-file.js';
import { startFromFile, type Begin } from './shared/start-from-file.js';

const ways = ['card', 'checkout', '3ds'] as const;

type Way = (typeof ways)[number];

/** A card never stands in a file: the order names the card store that holds it. */
const cardOrderRequest = cardOrderInput.omit({ poll_scale: true });

/** `durable-payments order start <file> --way <way>` */
export function orderStartCommand(): Command {
  return startFromFile('POST /v1/orders/{way}', beginOrder)
    .description('Start an order from a JSON file, or find the one that the same request started before.')
    .addOption(
      new Option(
        '--way <way>',
        'how the customer pays; by card, with the "card" that POST /v1/cards answered',
      )
        .choices(ways)
        .makeOptionMandatory(),
    );
}

function beginOrder(request: object, { way }: { way: Way }): Begin {
  switch (way) {
    case 'card': {
      const order = checked(cardOrderRequest, request);
      return (payments) => payments.startCardOrder(order);
    }
    case 'checkout': {
      const order = checked(hostedCheckoutBody, request);
      return (payments) => payments.startHostedCheckout(order);
    }
    case '3ds': {
      const order = checked(threeDSecureOrderBody, request);
      return (payments) => payments.startThreeDSecureOrder(order);
    }
  }
}
