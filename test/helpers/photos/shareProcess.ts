import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';

type Message = Parameters<ClientProcess['send']>[0];
/** The client of a job, with the job's number there. */
type Asker = { id: number; answer: (message: Message) => void };

type Reading = {
  start: StartProcess;
  /** Parse messages from and to the process. Both throw on unknown messages. */
  fromProcess: (head: unknown) => { id: number };
  toProcess: (head: unknown) => { type: string; id: number };
};

/** A real process, and its jobs by their numbers in this module. */
const openProcess = async ({ start, fromProcess, toProcess }: Reading) => {
  const jobs = new Map<number, Asker>();
  let lastId = 0;
  const { facts, send, ended } = await start(({ head, parts }) => {
    const message = fromProcess(head);
    const asker = jobs.get(message.id);
    jobs.delete(message.id);
    asker?.answer({ head: { ...message, id: asker.id }, parts });
  });
  const numbersOf = (answer: Asker['answer']): number[] =>
    [...jobs].filter(([, asker]) => asker.answer === answer).map(([number]) => number);
  const cancel = (number: number): void => void send({ head: { type: 'cancel', id: number }, parts: [] });
  return {
    facts,
    ended,
    send: async ({ head, parts }: Message, answer: Asker['answer']): Promise<void> => {
      const message = toProcess(head);
      if (message.type === 'cancel') {
        for (const number of numbersOf(answer)) if (jobs.get(number)?.id === message.id) cancel(number);
        return;
      }
      lastId += 1;
      jobs.set(lastId, { id: message.id, answer });
      await send({ head: { ...message, id: lastId }, parts });
    },
    cancelAll: (answer: Asker['answer']): void => numbersOf(answer).forEach(cancel),
  };
};

/**
 * Shares one process between all clients of a test process, because the start takes most of a photo's time. Each client
 * sees its own process, and closing a client ends only that client's jobs.
 */
export const shareProcess = (reading: Reading): StartProcess => {
  let current: ReturnType<typeof openProcess> | null = null;
  /** Returns the running process, or starts one. */
  const take = (): ReturnType<typeof openProcess> => {
    if (current) return current;
    const mine = openProcess(reading);
    const forget = (): void => void (current = null);
    mine.then(({ ended }) => ended).then(forget, forget);
    return (current = mine);
  };
  return async (onMessage) => {
    const shared = await take();
    const mine = Promise.withResolvers<Awaited<ClientProcess['ended']>>();
    const answer = (message: Message): void => onMessage(message);
    return {
      facts: shared.facts,
      send: (message) => shared.send(message, answer),
      keepParentAlive: () => undefined,
      kill: () => {
        shared.cancelAll(answer);
        mine.resolve({ cause: 'asked', how: 'its client was closed' });
      },
      ended: Promise.race([mine.promise, shared.ended]),
    };
  };
};
