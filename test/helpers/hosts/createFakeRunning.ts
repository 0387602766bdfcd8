import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Topic } from '../../../src/core/base/ports.ts';
import { Problem, toProblemView } from '../../../src/core/base/problem.ts';
import type { CeremonyCore } from '../../../src/host/ceremony/ceremonyCore.ts';
import type { RunningCompanion } from '../../../src/host/runCompanion.ts';
import { calls, type CallHandlers } from '../../../src/ipc/calls.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** A companion that only echoes calls, for tests of the connection between a window and the companion. */
export const createFakeRunning = (): RunningCompanion & { change: (topic: Topic) => void; received: number[] } => {
  const listeners = new Set<(topic: Topic) => void>();
  const received: number[] = [];
  const echo = Object.keys(calls).map((name) => [name, async (input: unknown) => ({ name, input })] as const);
  const refuse = async (): Promise<never> => {
    throw new Problem('NOT_NOW', 'This cannot be done now.', { retryAfterS: 3 });
  };
  return {
    handlers: { ...Object.fromEntries(echo), 'connect.forget': refuse } as unknown as CallHandlers,
    problemOf: toProblemView,
    requireProof: () => undefined,
    ceremonies: {
      ...({} as CeremonyCore),
      settings: () => ({ language: 'en', theme: 'system' }),
      readCeremony: () => ({ state: 'expired', proofId: null }),
      cancelReopenedCeremony: () => false,
      openCeremony: async () => {
        throw new Problem('CEREMONY_OVER', 'The time to confirm is over.');
      },
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    windowSessions: { open: () => 'ws_fake', close: () => undefined },
    showInNotification: () => {
      throw new Error('This companion shows no notifications.');
    },
    photo: async (ref) =>
      'photoId' in ref && ref.photoId === 'there' ? { bytes: png, contentType: 'image/png' } : null,
    exportedFile: () => null,
    receivePhoto: async (bytes: Readable) => {
      let size = 0;
      bytes.on('data', (chunk: Buffer) => (size += chunk.length));
      await once(bytes, 'end');
      received.push(size);
      return { uploadId: '00000000-0000-4000-8000-000000000000' };
    },
    work: () => ({ running: 0, unwritten: 0, done: 0 }),
    seen: () => undefined,
    sleep: () => undefined,
    wake: () => undefined,
    bridgeUrl: 'http://127.0.0.1:1',
    serviceUrl: 'http://127.0.0.1:2',
    stop: async () => [],
    change: (topic) => listeners.forEach((listener) => listener(topic)),
    received,
  };
};
