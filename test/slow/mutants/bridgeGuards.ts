import type { Guard } from './guard.ts';

const proof = ['test/flows/cli/proof.test.ts'];
const handoff = ['test/flows/cli/proofHandoff.test.ts'];
const connection = 'src/cli/connection.ts';
const prover = 'src/bridge/proof.ts';
const discovery = 'src/bridge/discovery.ts';
const processStart = 'src/bridge/processStart.ts';

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
    only: 'is not worn down',
  },
  {
    id: 'proof-of-one-connection',
    keeps: 'A proof that a program passes on between two connections proves nothing.',
    file: prover,
    source: '\\n${caller}\\n',
    without: '\\n',
    tests: handoff,
    only: 'from a port of its own',
  },
  {
    id: 'proof-of-one-address',
    keeps: 'A program that calls from another loopback address with the caller’s port is not the caller.',
    file: prover,
    source: "return `${address.replace(/^::ffff:/i, '')}:${port}`;",
    without: 'return `:${port}`;',
    tests: handoff,
    only: 'from another address with the caller’s port',
  },
  {
    id: 'found-before-each-poll',
    keeps: 'The secret of a pairing goes to where the companion is now.',
    file: 'src/cli/commands/pair.ts',
    source: '  for (;;) {\n    const { state, token } = await readPairing(await bridge.find(), pairing);',
    without:
      '  const found = await bridge.find();\n  for (;;) {\n    const { state, token } = await readPairing(found, pairing);',
    tests: handoff,
    only: 'looks for the companion before each question',
  },
  {
    id: 'answer-without-answer',
    keeps: 'A connection that ends without an answer and without an error does not leave the caller waiting.',
    file: connection,
    source: "sent.once('close', fail);",
    without: '',
    tests: proof,
    only: 'changes the protocol',
  },
  {
    id: 'busy-is-no-unproven',
    keeps: 'A companion that is busy is not taken for another program.',
    file: connection,
    source: 'if (answer.status === 429) throw busy();',
    without: '',
    tests: proof,
    only: 'is not worn down',
  },
  {
    id: 'one-connection',
    keeps: 'A token leaves on the very connection on which the proof came.',
    file: connection,
    source: 'if (!isTaken && !socket.destroyed) {\n      isTaken = true;\n      return socket;\n    }',
    without: "if (isTaken) return connect({ host: '127.0.0.1', port });\n    isTaken = true;\n    return socket;",
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
    file: processStart,
    source: ' || (written.startTicks !== null && found.startTicks !== written.startTicks)',
    without: '',
    tests: proof,
    only: 'whose number another one has now',
  },
  {
    id: 'ended-process',
    keeps: 'A companion that has ended is gone, though its parent has not collected it.',
    file: processStart,
    source: 'return found.hasEnded ||',
    without: 'return',
    tests: proof,
    only: 'that has ended',
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
