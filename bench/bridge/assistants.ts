import type { ChildProcess } from 'node:child_process';
import autocannon from 'autocannon';
import { readUsage, startProcess } from './startProcess.ts';
import { against, againstLimit, compare, type Compared } from '../compare.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const assistants = 50;
const perSecondGoal = 1_000;
const maxP99Ms = 100;
/** The process keeps room for its heap, so its memory may grow by a quarter while the load lasts. */
const maxGrowth = 1.25;

const createMcpRequest = (method: string, params: Record<string, unknown>) => ({
  method: 'POST' as const,
  path: '/mcp',
  headers: {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});
const createToolCall = (name: string, args: Record<string, unknown>) =>
  createMcpRequest('tools/call', { name, arguments: args });

/** What an assistant does: mostly reads, over HTTP and by tools, and a write that always reaches the service. */
const mixedRequests: autocannon.Request[] = [
  { method: 'GET', path: '/listings/li_bench' },
  createToolCall('get_listing', { listingId: 'li_bench', photo: 0 }),
  { method: 'GET', path: '/companion/me' },
  createToolCall('list_listings', {}),
  { method: 'PUT', path: '/notifications/no_bench/read' },
  createMcpRequest('tools/list', {}),
  { method: 'GET', path: '/listings' },
  createToolCall('get_listing', { listingId: 'li_bench', photo: 0 }),
  { method: 'GET', path: '/listings/li_bench' },
  createToolCall('list_listings', {}),
];

/** Every connection is another assistant. `overallRate` limits the requests per second of all. */
const loadMixed = async (url: string, tokens: readonly string[], overallRate?: number): Promise<autocannon.Result> => {
  let at = 0;
  const run = await autocannon({
    ...{ url, connections: assistants, duration: seconds },
    ...(overallRate === undefined ? {} : { overallRate }),
    setupClient: (client) => {
      const authorization = `Bearer ${tokens[at++ % tokens.length] ?? ''}`;
      client.setRequests(mixedRequests.map((one) => ({ ...one, headers: { ...one.headers, authorization } })));
    },
  });
  if (run.non2xx > 0 || run.errors > 0) throw new Error(`${url}: ${run.non2xx} refusals, ${run.errors} errors`);
  return run;
};

/** Compares 50 assistants with mixed requests to a plain Express app that answers the same bytes from memory. */
export const benchAssistants = async (): Promise<Compared[]> => {
  const started: ChildProcess[] = [];
  const start = async (name: string, ...args: string[]): Promise<string> => {
    const { child, line } = await startProcess(name, ...args);
    started.push(child);
    return line;
  };
  try {
    const service = await start('upstream');
    const { child, line } = await startProcess('bridged', service, String(assistants));
    started.push(child);
    const [bridge = '', ...tokens] = line.split(' ');
    const express = await start('fromMemory', bridge);
    const perSecond = async (url: string): Promise<number> => {
      const run = await loadMixed(url, tokens);
      return run['2xx'] / run.duration;
    };
    const peer = 'a plain Express app that answers the same bytes from memory';
    const most = await compare(
      { what: 'mixed requests of 50 assistants', unit: 'requests/s', peer },
      () => perSecond(bridge),
      () => perSecond(express),
    );
    const before = await readUsage(child);
    const ours = await loadMixed(bridge, tokens, perSecondGoal);
    const theirs = await loadMixed(express, tokens, perSecondGoal);
    const growth = (await readUsage(child)).memoryBytes / before.memoryBytes;
    const atGoal = `at ${perSecondGoal} mixed requests/s of 50 assistants`;
    return [
      most,
      against(`99 of 100 answers ${atGoal}`, 'ms', ours.latency.p99, peer, theirs.latency.p99),
      againstLimit(`99 of 100 answers ${atGoal}`, 'ms', ours.latency.p99, maxP99Ms),
      againstLimit('memory after the load, of that before', 'times', growth, maxGrowth),
    ];
  } finally {
    for (const child of started) child.kill();
  }
};
