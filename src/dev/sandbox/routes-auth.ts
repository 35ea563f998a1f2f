import type { Endpoint } from './endpoint.js';
import type { Service } from './service.js';

export function authEndpoints(service: Service): readonly Endpoint[] {
  return [
    {
      name: 'POST /v1/auth',
      open: true,
      prepare: ({ authorization }) => ({
        effect: () => ({
          body: {
            token: service.tokens.issue(authorization),
            expire_minutes: service.options.tokenMinutes,
            type: 'Bearer',
          },
        }),
      }),
    },
  ];
}
