/** Where a card waits. It goes to the gateway's memory, and never into a workflow. */
export type Card = { card_ref: string; task_queue: string; expires_at: string };

const { GATEWAY_URL = 'http://127.0.0.1:8080', API_KEY = '' } = process.env;

export async function storeCard(card: Record<string, string>): Promise<Card> {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(card);
  const answer = await fetch(`${GATEWAY_URL}/v1/cards`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Card;
}
