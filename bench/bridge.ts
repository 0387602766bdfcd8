import type { ChildProcess } from 'node:child_process';
import autocannon from 'autocannon';
import { startProcess } from './bridge/startProcess.ts';
import { compare, type Compared } from './compare.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const connections = 20;

const started: ChildProcess[] = [];
const start = async (name: string, ...args: string[]): Promise<string> => {
  const { child, line } = await startProcess(name, ...args);
  started.push(child);
  return line;
};

type Method = 'GET' | 'PUT';

const perSecond = async (url: string, token: string, method: Method = 'GET'): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  const run = await autocannon({ url, method, connections, duration: seconds, headers });
  if (run.non2xx > 0 || run.errors > 0) throw new Error(`${url}: ${run.non2xx} refusals, ${run.errors} errors`);
  return run['2xx'] / run.duration;
};

const eachMs = async (url: string, token: string, method: Method): Promise<number> => {
  const run = await autocannon({
    url,
    method,
    connections: 1,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
  });
  return (run.duration * 1_000) / run['2xx'];
};

/**
 * Compares the bridge with the service itself and with a plain reverse proxy. The service, the proxy, the companion and
 * the client are four processes on one machine.
 */
export const benchBridge = async (): Promise<Compared[]> => {
  try {
    const service = await start('upstream');
    const proxy = await start('proxied', service);
    const [bridge = '', token = ''] = (await start('bridged', service)).split(' ');
    // A read would be answered from the cache, but this request always reaches the service.
    const note = '/notifications/no_bench/read';
    const peer = 'a plain reverse proxy (http-proxy-3, keep-alive)';
    return [
      await compare(
        { what: 'a mirrored request', unit: 'ms', peer: 'the same request at the service' },
        () => eachMs(bridge + note, token, 'PUT'),
        () => eachMs(service + note, token, 'PUT'),
      ),
      await compare(
        { what: 'mirrored requests', unit: 'requests/s', peer },
        () => perSecond(bridge + note, token, 'PUT'),
        () => perSecond(proxy + note, token, 'PUT'),
      ),
      await compare(
        { what: 'reads answered from memory', unit: 'requests/s', peer },
        () => perSecond(`${bridge}/listings/li_bench`, token),
        () => perSecond(`${proxy}/listings/li_bench`, token),
      ),
    ];
  } finally {
    for (const child of started) child.kill();
  }
};
