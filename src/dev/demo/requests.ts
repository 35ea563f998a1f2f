/** A card order as an OMS sends it, of a customer who does not exist. */
export function orderOf(partnerCode: string, value: number) {
  return {
    order: { partner_code: partnerCode, value, description: 'Two tickets' },
    customer: {
      name: 'Ana Lima',
      email: 'ana.lima@example.com',
      phone: '+5511987654321',
      document: '52998224725',
    },
  };
}

/** A card that only the sandbox takes; docs/sandbox.md lists the numbers that mean something to it. */
export function cardOf(number: string) {
  const nextYear = new Date().getFullYear() + 1;
  return { holder: 'ANA LIMA', number, cvv: '123', due_date: `12/${String(nextYear)}`, brand: 'visa' };
}

/** A pix payout as an OMS sends it. */
export function payoutOf(partnerCode: string, value: number, pix: string) {
  return {
    partner_code: partnerCode,
    value,
    pix,
    kind: 'personal',
    first_name: 'Ana',
    last_name: 'Lima',
    document: '52998224725',
  };
}
