// Runs a plain keep-alive reverse proxy in front of the given URL. Prints the URL of the proxy.
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyServer } from 'http-proxy-3';
import { answerUsage } from './startProcess.ts';

answerUsage();
const proxy = createProxyServer({ target: process.argv[2], agent: new Agent({ keepAlive: true }) });
const server = createServer((request, response) => proxy.web(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
