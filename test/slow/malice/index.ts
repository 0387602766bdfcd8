// `npm run malice [-- 20000 [seed]]`: so many acts of an assistant and of the person before a service that answers with
// malice. Says what went wrong and what memory it took, and ends with 1 if anything did.
import { maxMegabytes, runMalice } from './run.ts';

const acts = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));

console.log(`${acts} acts of seed ${seed}.`);
const { wrong, ...figures } = await runMalice(acts, seed, console.log);
for (const one of wrong) console.log(one);
console.log(JSON.stringify(figures));
process.exitCode = wrong.length > 0 || figures.heap > maxMegabytes * 1024 * 1024 ? 1 : 0;
