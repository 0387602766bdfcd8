import type { ChildProcess } from 'node:child_process';
import autocannon from 'autocannon';
import { readUsage, startProcess } from './bridge/startProcess.ts';
import { compare, compareRounds, runInRounds, type Compared } from './compare.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const connections = 20;
const rounds = 7;

type Method = 'GET' | 'PUT';
type Served = { child: ChildProcess; url: string };

const load = async (url: string, token: string, method: Method, many = connections): Promise<autocannon.Result> => {
  const headers = { authorization: `Bearer ${token}` };
  const run = await autocannon({ url, method, connections: many, duration: seconds, headers });
  if (run.non2xx > 0 || run.errors > 0) throw new Error(`${url}: ${run.non2xx} refusals, ${run.errors} errors`);
  return run;
};

const eachMs = async (url: string, token: string, method: Method): Promise<number> => {
  const run = await load(url, token, method, 1);
  return (run.duration * 1_000) / run['2xx'];
};

type Measured = { perSecond: number; micros: number };
type Compare = { what: string; peer: string; bridge: Served; proxy: Served; path: string; token: string };

/**
 * Compares the requests per second, and the processor time that the serving process takes for each request. A client
 * that asks too slowly limits the first figure, but not the second.
 */
const compareLoad = async (
  method: Method,
  { what, peer, bridge, proxy, path, token }: Compare,
): Promise<[Compared, Compared]> => {
  const measure = async ({ child, url }: Served): Promise<Measured> => {
    const before = await readUsage(child);
    const run = await load(url + path, token, method);
    const used = (await readUsage(child)).processorMicros - before.processorMicros;
    return { perSecond: run['2xx'] / run.duration, micros: used / run['2xx'] };
  };
  const [ours = [], theirs = []] = await runInRounds([() => measure(bridge), () => measure(proxy)], rounds);
  const compareFigures = (unit: string, pick: (one: Measured) => number, name = what): Compared =>
    compareRounds({ what: name, unit, peer }, ours.map(pick), theirs.map(pick));
  return [
    compareFigures('requests/s', ({ perSecond }) => perSecond),
    compareFigures('µs', ({ micros }) => micros, `${what}, processor time of each`),
  ];
};

/**
 * Compares the bridge with the service itself and with a plain reverse proxy. The service, the proxy, the companion and
 * the client are four processes on one machine.
 */
export const benchBridge = async (): Promise<Compared[]> => {
  const started: ChildProcess[] = [];
  const start = async (name: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> => {
    const one = await startProcess(name, ...args);
    started.push(one.child);
    return one;
  };
  try {
    const { line: service } = await start('upstream');
    const proxied = await start('proxied', service);
    const bridged = await start('bridged', service);
    const [url = '', token = ''] = bridged.line.split(' ');
    const proxy = { child: proxied.child, url: proxied.line };
    const bridge = { child: bridged.child, url };
    const peer = 'a plain reverse proxy (http-proxy-3, keep-alive)';
    // A read would be answered from the cache, but this request always reaches the service.
    const note = '/notifications/no_bench/read';
    return [
      await compare(
        { what: 'a mirrored request', unit: 'ms', peer: 'the same request at the service' },
        () => eachMs(url + note, token, 'PUT'),
        () => eachMs(service + note, token, 'PUT'),
      ),
      ...(await compareLoad('PUT', { what: 'mirrored requests (goal 0.9)', peer, bridge, proxy, path: note, token })),
      ...(await compareLoad('GET', {
        ...{ what: 'reads answered from memory (goal 2.5)', peer, bridge, proxy, token },
        path: '/listings/li_bench',
      })),
    ];
  } finally {
    for (const child of started) child.kill();
  }
};
