import type { Guard } from './guard.ts';

const proof = ['test/flows/cli/proof.test.ts'];
const connection = 'src/cli/connection.ts';
const prover = 'src/bridge/proof.ts';
const discovery = 'src/bridge/discovery.ts';

/** What keeps a token from leaving to another program than the companion. */
export const bridgeGuards: readonly Guard[] = [
  {
    id: 'proof-compared',
    keeps: 'A token is sent only to a program that has proven that it knows it.',
    file: connection,
    source:
      "if (data === undefined || !isSameDigest(data.proof, proofOf(hash, 'companion', bound))) throw notProven(port);",
    without: 'if (data === undefined) throw notProven(port);',
    tests: proof,
    only: 'answers everything well',
  },
  {
    id: 'proof-of-each-side',
    keeps: 'What the caller sent is no proof of the companion.',
    file: prover,
    source: '\\n${side}\\n',
    without: '\\n',
    tests: proof,
    only: 'sends the request back',
  },
  {
    id: 'proof-of-one-nonce',
    keeps: 'A proof of before proves nothing now.',
    file: prover,
    source: '\\n${nonce}\\n',
    without: '\\n',
    tests: proof,
    only: 'replays a proof',
  },
  {
    id: 'proof-of-one-port',
    keeps: 'A proof for one port proves nothing at another.',
    file: prover,
    source: '\\n${port}`',
    without: '`',
    tests: proof,
    only: 'passes all on to the companion',
  },
  {
    id: 'one-connection',
    keeps: 'A token leaves on the very connection on which the proof came.',
    file: connection,
    source: "if (socket === undefined) return (socket = connect({ host: '127.0.0.1', port, noDelay: true }));",
    without: "return (socket = connect({ host: '127.0.0.1', port, noDelay: true }));",
    tests: proof,
    only: 'takes the place of the companion between',
  },
  {
    id: 'redirect-no-answer',
    keeps: 'A redirect is no answer to a request with a token.',
    file: 'src/cli/bridgeClient.ts',
    source: "if (!isSuccess(status)) throw problemOf(status, body, headers['retry-after'] ?? null);",
    without: "if (status >= 400) throw problemOf(status, body, headers['retry-after'] ?? null);",
    tests: proof,
    only: 'after the proof is no answer',
  },
  {
    id: 'loopback-alone',
    keeps: 'The companion is looked for at 127.0.0.1 and nowhere else.',
    file: discovery,
    source: 'const loopbackAddress = /^http:\\/\\/127\\.0\\.0\\.1:([1-9]\\d{0,4})$/;',
    without: 'const loopbackAddress = /^https?:\\/\\/[^:]*:([1-9]\\d{0,4})/;',
    tests: proof,
    only: 'nothing is sent',
  },
  {
    id: 'later-process',
    keeps: 'A process that got the number of the companion later is not the companion.',
    file: discovery,
    source: '|| (await isLaterProcess(data.pid, data))',
    without: '',
    tests: proof,
    only: 'whose number another one has now',
  },
  {
    id: 'unknown-callers',
    keeps: 'Callers that know no secret do not get to ask without end.',
    file: prover,
    source: 'return unknown > maxUnknown',
    without: 'return unknown > Infinity',
    tests: proof,
    only: 'is not worn down',
  },
];
