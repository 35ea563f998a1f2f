const person = { first_name: 'Maria', last_name: 'Silva', document: '52998224725' };
const customer = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: '+5511987654321',
  document: person.document,
};

export const card = {
  holder: 'MARIA SILVA',
  number: '4111111111111111',
  cvv: '737',
  due_date: '12/2099',
  brand: 'visa',
};

/** @param tags scenarios of the sandbox: how the service handles this payment */
export const pixPayout = (partnerCode, { tags = [], ...fields } = {}) => ({
  partner_code: partnerCode,
  value: 25,
  pix: tags.length === 0 ? 'maria@example.com' : `sandbox+${tags.join('+')}@example.com`,
  ...person,
  ...fields,
});

const account = { bank_code: '341', account: '123456-7' };

export const transferPayout = (partnerCode, fields = {}) => ({
  ...{ partner_code: partnerCode, value: 25, ...person },
  ...{ ...account, agency: '1234', account_type: 'checking' },
  ...fields,
});

export const accountValidation = (partnerCode) => ({ partner_code: partnerCode, ...person, ...account });

export const order = (partnerCode, { tags = [], ...fields } = {}) => ({
  order: {
    partner_code: partnerCode,
    value: 150,
    description: tags.length === 0 ? 'Two books' : `Two books sandbox:${tags.join('+')}`,
  },
  customer,
  ...fields,
});

export const cardOrder = (partnerCode, options) => ({
  ...order(partnerCode, options),
  credit_card: card,
});

export const checkout = (partnerCode, options) => {
  const body = order(partnerCode, options);
  return { ...body, order: { ...body.order, redirect_url: 'https://shop.example.com/thanks' } };
};
