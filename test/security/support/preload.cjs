// For processes under test. A heap snapshot shows texts whole, and a signal throws what nobody catches.
const { readFileSync } = require('node:fs');
const process = require('node:process');
const { setFlagsFromString } = require('node:v8');

setFlagsFromString('--heap-snapshot-string-limit=1000000');
process.on('SIGWINCH', () => {
  const card = readFileSync(process.env.SECRET_FILE, 'utf8');
  throw Object.assign(new Error(`could not use ${card}`), { card, cause: new SyntaxError(`near ${card}`) });
});
