import { toCentavos } from '../../domain/money.js';
import type { StartedAll } from '../start-all/start-all.js';
import { readLedger } from './ledger.js';
import { moneyTable } from './money-table.js';
import { Oms } from './oms.js';
import type { Reporter } from './reporter.js';
import { scenes } from './scenes.js';
import type { Ending } from './scenes.js';

/** Plays every scene through the gateway, compares the money with the sandbox's ledger, and returns whether all is well. */
export async function playDemo(all: StartedAll, prefix: string, reporter: Reporter): Promise<boolean> {
  const oms = new Oms(all.gatewayUrl, all.apiKeys[0]?.key ?? '', ({ partner_code, workflow_id }, event) => {
    reporter.line(`${partner_code}: ${event}  ${linkTo(all, workflow_id)}`);
  });
  const endings: Ending[] = [];
  for (const [index, { title, play }] of scenes.entries()) {
    reporter.scene(title, index + 1, scenes.length);
    endings.push(
      ...(await play(
        oms,
        (name) => `${prefix}-${name}`,
        (text) => reporter.line(text),
      )),
    );
  }
  reporter.close();
  const rows = await Promise.all(
    endings.map(async (ending) => ({
      ...ending,
      centavos: toCentavos(ending.requested) ?? 0,
      ledger: await readLedger(all.sandboxUrl ?? '', ending.codes),
    })),
  );
  const { text, allWell } = moneyTable(rows);
  console.log(text);
  return allWell;
}

function linkTo({ temporal, namespace }: StartedAll, workflowId: string): string {
  return temporal?.webUiLink?.(`/namespaces/${namespace}/workflows/${workflowId}`) ?? '';
}
