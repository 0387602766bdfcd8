import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';
import { fromReader, toReader } from '../../../src/practice/writer/reading/photoReading.ts';
import { startReader } from './startReader.ts';

type Message = Parameters<ClientProcess['send']>[0];
type Ended = Awaited<ClientProcess['ended']>;

/** A real process that reads photos, and the questions that are in it by the numbers that they have here. */
const open = async () => {
  const askers = new Map<number, { id: number; answer: (message: Message) => void }>();
  let lastId = 0;
  const { facts, send, ended } = await startReader(({ head, parts }) => {
    const message = fromReader.parse(head);
    const asker = askers.get(message.id);
    askers.delete(message.id);
    asker?.answer({ head: { ...message, id: asker.id }, parts });
  });
  return {
    facts,
    ended,
    send: ({ head, parts }: Message, answer: (message: Message) => void): void => {
      const message = toReader.parse(head);
      if (message.type === 'read') askers.set((lastId += 1), { id: message.id, answer });
      for (const [number, asker] of askers)
        if (asker.answer === answer && asker.id === message.id) send({ head: { ...message, id: number }, parts });
    },
    cancelAll: (answer: (message: Message) => void): void => {
      for (const [id, asker] of askers) if (asker.answer === answer) send({ head: { type: 'cancel', id }, parts: [] });
    },
  };
};

let current: ReturnType<typeof open> | null = null;

/** The one that runs, or a new one. */
const take = (): ReturnType<typeof open> => {
  if (current) return current;
  const forget = (): void => void (current = null);
  current = open();
  current.then(({ ended }) => ended).then(forget, forget);
  return current;
};

/**
 * One process that reads photos for all writers of a test's process: starting one is most of what a photo takes. To each
 * writer it looks like its own, and when a writer is closed only its photos are given up.
 */
export const sharedReader: StartProcess = async (onMessage) => {
  const shared = await take();
  const mine = Promise.withResolvers<Ended>();
  const answer = (message: Message): void => onMessage(message);
  return {
    facts: shared.facts,
    send: (message) => shared.send(message, answer),
    hold: () => undefined,
    kill: () => {
      shared.cancelAll(answer);
      mine.resolve({ cause: 'asked', how: 'the writer was closed' });
    },
    ended: Promise.race([mine.promise, shared.ended]),
  };
};
