import { ApplicationFailure } from '@temporalio/activity';

export async function reserveSeats(partnerCode: string): Promise<void> {
  console.log(`${partnerCode}: seats reserved`);
}

export async function releaseSeats(partnerCode: string): Promise<void> {
  console.log(`${partnerCode}: seats released`);
}

/** Fails, for the example's sake. */
export async function issueTickets(): Promise<void> {
  throw ApplicationFailure.nonRetryable('the printer is out of order');
}
