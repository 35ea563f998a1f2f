import { defineSignal, setHandler, sleep } from '@temporalio/workflow';

/** The `waiting` workflow after a change that breaks open ones: it sleeps where that one has a timer of a month. */
export async function waiting(): Promise<string> {
  setHandler(defineSignal('finish'), () => undefined);
  await sleep(1);
  await sleep(1);
  return 'changed';
}
