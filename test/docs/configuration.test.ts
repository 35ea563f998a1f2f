import { expect, test } from 'vitest';
import { configVariables } from '../../src/config.js';
import { tableRows, textOf } from './markdown.js';

test('the table of variables is the one of the configuration', () => {
  const rows = configVariables.map(
    ({ name, description, default: value, example, secret, roles }) =>
      `| \`${name}\` | ${description}${secret ? ' (secret)' : ''} | ${value === null ? '' : `\`${value}\``} | ` +
      `\`${example}\` | ${roles.join(', ')} |`,
  );
  // Compared as text, so that the table to write stands in the failure.
  const written = tableRows(textOf('docs/configuration.md'), 'variable');
  expect(written.map((cells) => `| ${cells.join(' | ')} |`)).toEqual(rows);
});
