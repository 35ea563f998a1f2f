// For every route of the gateway: the longest time, in processor time, that one request stops the event loop, and the
// most memory that it takes, over the worst bodies that are known. Ends with 1 when a route of the OpenAPI document or
// another one has no case, or one takes more than 100 ms.
// Temporal is away: what is measured is all that the gateway does by itself. Linux only, for the peak of memory.
// `npm run bench:event-loop` builds first; a word behind it (`-- codec`) measures the routes that hold it alone.
import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bodiesOf, caseOf, key } from './event-loop-cases.mjs';

const boundMs = 100;
/** A collection of garbage may fall into any turn: what took too long is measured again, and the best counts. */
const tries = 4;
/** What the codec endpoint answers, for it to open again. */
const sealed = [];
const child = fork(fileURLToPath(new URL('./event-loop-gateway.mjs', import.meta.url)), [key]);
try {
  const { url, routes } = await message();
  const withoutCase = routes.filter((route) => caseOf(route) === undefined);
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods)) {
      const route = `${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`;
      if (!routes.includes(route)) withoutCase.push(route);
    }
  if (withoutCase.length > 0) throw new Error(`These routes have no case: ${withoutCase.join(', ')}`);
  // Code that runs for the first time is compiled, which is no request's doing.
  for (const route of routes) await send(url, route, bodiesOf(caseOf(route))[0]);
  for (const body of bodiesOf('codec').filter(({ name }) => name.includes('payload'))) {
    const { status, text } = await send(url, 'POST /codec/encode', body);
    if (status === 200) sealed.push({ name: `${body.name}, encrypted`, content: Buffer.from(text) });
  }
  const rows = [];
  console.log('| route | worst request | event loop | memory |\n| --- | --- | --- | --- |');
  for (const each of routes.filter((route) => route.includes(process.argv[2] ?? ''))) {
    const { route, name, ms, mb } = await measure(url, each);
    console.log(`| \`${route}\` | ${name} | ${Math.ceil(ms)} ms | ${Math.ceil(mb)} MB |`);
    rows.push({ route, ms });
  }
  const slow = rows.filter(({ ms }) => ms > boundMs);
  if (slow.length > 0) throw new Error(`Above ${boundMs} ms: ${slow.map(({ route }) => route).join(', ')}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  child.kill();
}

function inputsOf(route) {
  return [...bodiesOf(caseOf(route)), ...(route === 'POST /codec/decode' ? sealed : [])];
}

/** The worst body of a route. */
async function measure(url, route) {
  let worst = { route, name: '', ms: 0, mb: 0 };
  for (const body of inputsOf(route)) {
    let ms = Infinity;
    let mb = Infinity;
    let status;
    for (let time = 0; time < tries && ms > boundMs; time += 1) {
      await ask('reset');
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      const before = memory('VmRSS');
      ({ status } = await send(url, route, body));
      ms = Math.min(ms, (await ask('max')).ms);
      mb = Math.min(mb, memory('VmHWM') - before);
    }
    if (process.argv[2] !== undefined)
      console.log(`  ${status} ${body.name}: ${Math.ceil(ms)} ms, ${Math.ceil(mb)} MB`);
    if (ms > worst.ms) worst = { ...worst, name: body.name, ms };
    worst.mb = Math.max(worst.mb, mb);
  }
  return worst;
}

function send(url, route, { path = '', type, content = '', headers = {} }) {
  const [method, pattern] = route.split(' ');
  const { port } = new URL(url);
  const address =
    pattern.replace(/:\w+|\*/g, path.startsWith('?') ? 'a' : path || 'a') +
    (path.startsWith('?') ? path : '');
  return new Promise((resolve) => {
    const sent = request(
      {
        ...{ port, method, path: address, agent: false },
        headers: {
          ...{ authorization: `Bearer ${key}`, ...headers },
          ...(content.length > 0
            ? { 'content-type': type ?? 'application/json', 'content-length': content.length }
            : {}),
        },
      },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('close', () =>
          resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('error', ({ code }) => resolve({ status: code, text: '' }));
    sent.end(content);
  });
}

function ask(what) {
  const answer = message();
  child.send(what);
  return answer;
}

function message() {
  return new Promise((resolve) => child.once('message', resolve));
}

function memory(name) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1_024;
}
