// Preloaded into a process that shall print, at its end, which CommonJS files of packages it has loaded.
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);
process.on('exit', () => console.log(Object.keys(cache).join('\n')));
