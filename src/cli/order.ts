import { Command } from 'commander';
import { orderStartCommand } from './order-start.js';
import {
  acknowledgeCommand,
  resolveCommand,
  type Acknowledgeable,
  type Find,
  type Resolvable,
} from './shared/decisions.js';
import { listOrdersCommand } from './shared/list-command.js';
import { showCommand } from './shared/show-command.js';

const find: Find<Resolvable & Acknowledgeable> = (payments, partnerCode) => payments.order(partnerCode);

/** `durable-payments order start|show|list|resolve|acknowledge` */
export function orderCommand(): Command {
  return new Command('order')
    .description('Orders by card, hosted checkout and 3D Secure.')
    .addCommand(orderStartCommand())
    .addCommand(
      showCommand(
        'Show an order: its status, whether it needs an operator, its timeline.',
        (payments, partnerCode) => payments.order(partnerCode).state(),
      ),
    )
    .addCommand(listOrdersCommand())
    .addCommand(resolveCommand(find))
    .addCommand(acknowledgeCommand(find));
}
