import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';
import { fromKitchen, toKitchen } from '../../../src/photoContract/messages.ts';
import { startKitchen } from './startKitchen.ts';

type Message = Parameters<ClientProcess['send']>[0];
/** Whose job it is, and the number that it has there. */
type Asker = { id: number; answer: (message: Message) => void };

/** A real kitchen, and the jobs that are in it by the numbers that they have here. */
const open = async () => {
  const jobs = new Map<number, Asker>();
  let lastId = 0;
  const { facts, send, ended } = await startKitchen(({ head, parts }) => {
    const message = fromKitchen.parse(head);
    const asker = jobs.get(message.id);
    jobs.delete(message.id);
    asker?.answer({ head: { ...message, id: asker.id }, parts });
  });
  const numbersOf = (answer: Asker['answer']): number[] =>
    [...jobs].filter(([, asker]) => asker.answer === answer).map(([number]) => number);
  const cancel = (number: number): void => send({ head: { type: 'cancel', id: number }, parts: [] });
  return {
    facts,
    ended,
    send: ({ head, parts }: Message, answer: Asker['answer']): void => {
      const message = toKitchen.parse(head);
      if (message.type === 'cancel') {
        for (const number of numbersOf(answer)) if (jobs.get(number)?.id === message.id) cancel(number);
        return;
      }
      lastId += 1;
      jobs.set(lastId, { id: message.id, answer });
      send({ head: { ...message, id: lastId }, parts });
    },
    cancelAll: (answer: Asker['answer']): void => numbersOf(answer).forEach(cancel),
  };
};

let current: ReturnType<typeof open> | null = null;

/** The one that runs, or a new one. */
const take = (): ReturnType<typeof open> => {
  if (current) return current;
  const mine = open();
  const forget = (): void => void (current = null);
  mine.then(({ ended }) => ended).then(forget, forget);
  return (current = mine);
};

/**
 * One kitchen for all worlds of a test's process: starting one is most of what a world with photos takes. To each world it
 * looks like its own, and when a world ends it only the world's jobs end. What kitchens do when they start, fail and are
 * ended has tests with kitchens of their own, as have the stories of whole hosts.
 */
export const sharedKitchen: StartProcess = async (onMessage) => {
  const kitchen = await take();
  const mine = Promise.withResolvers<Awaited<ClientProcess['ended']>>();
  const answer = (message: Message): void => onMessage(message);
  return {
    facts: kitchen.facts,
    send: (message) => kitchen.send(message, answer),
    hold: () => undefined,
    kill: () => {
      kitchen.cancelAll(answer);
      mine.resolve({ cause: 'asked', how: 'the world was closed' });
    },
    ended: Promise.race([mine.promise, kitchen.ended]),
  };
};
