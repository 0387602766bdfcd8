import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { takeMedian } from '../compare.ts';

const rounds = 7;
const counts = { rows: 100_000, objects: 5_000, requests: 500 };

const createObject = (at: number) => ({
  id: `row_${at}`,
  title: `thing no. ${at}`,
  description: 'In good condition, kept in a smoke-free home. '.repeat(8),
  price: 500 + ((at * 37) % 20_000),
  tags: ['attic', `box ${at % 77}`],
});

const prepareScan = () => {
  const db = new Database(':memory:');
  db.exec('create table things (json text)');
  const insert = db.prepare('insert into things values (?)');
  db.transaction(() => {
    for (let at = 0; at < counts.rows; at += 1) insert.run(JSON.stringify(createObject(at)));
  })();
  const scan = db.prepare("select count(*) from things where json like '%camera%'").pluck();
  return { run: () => scan.get(), end: () => db.close() };
};

const prepareJson = () => {
  const objects = Array.from({ length: counts.objects }, (_, at) => createObject(at));
  const readAndWrite = (): number => {
    const copies = JSON.parse(JSON.stringify(objects)) as typeof objects;
    return new Map(copies.map((copy) => [copy.id, copy])).size;
  };
  return { run: readAndWrite, end: () => undefined };
};

const prepareRequests = async () => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = async (): Promise<void> => {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  };
  const run = async (): Promise<void> => {
    for (let at = 0; at < counts.requests; at += 1) await request();
  };
  return { run, end: () => (agent.destroy(), server.close()) };
};

/** Work without our code, and the processor time that it takes on the reference computer, in ms. */
const works = [
  { prepare: prepareScan, referenceMs: 36 },
  { prepare: prepareJson, referenceMs: 10.5 },
  { prepare: prepareRequests, referenceMs: 20.5 },
];

/** Returns the processor time of the work in this thread, in ms. */
const measureProcessorMs = async (run: () => unknown): Promise<number> => {
  const from = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1_000;
};

/**
 * Returns how many times slower this computer is than the reference computer, on which the figures of November 29 in
 * RESULTS.md were measured: the geometric mean of three works, each the median of its rounds. The reference times are
 * computed from peers that were measured on both: a scan of listings with LIKE, rows that were parsed, and a reverse proxy.
 */
export const measureComputer = async (): Promise<number> => {
  let product = 1;
  for (const { prepare, referenceMs } of works) {
    const { run, end } = await prepare();
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await measureProcessorMs(run));
    end();
    product *= takeMedian(taken) / referenceMs;
  }
  return Math.cbrt(product);
};
