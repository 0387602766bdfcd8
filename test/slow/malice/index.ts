// `npm run malice [-- 20000 [seed]]`: performs that many acts of an assistant and the person with a malicious service.
// Prints errors and memory use, and exits with 1 on any error or too much memory.
import { maxMegabytes, runMalice } from './run.ts';

const acts = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));

console.log(`${acts} acts of seed ${seed}.`);
const { wrong, ...figures } = await runMalice(acts, seed, console.log);
for (const one of wrong) console.log(one);
console.log(JSON.stringify(figures));
process.exitCode = wrong.length > 0 || figures.heap > maxMegabytes * 1024 * 1024 ? 1 : 0;
