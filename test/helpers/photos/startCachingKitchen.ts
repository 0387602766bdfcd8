import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { createBoundedMap } from '../../../src/core/base/boundedMap.ts';
import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';
import { photoProcessOutput, photoJobResult, photoProcessInput } from '../../../src/photoContract/messages.ts';
import { sharedKitchen } from './sharedKitchen.ts';

type Message = Parameters<ClientProcess['send']>[0];

/** The request without its id. */
const getKey = ({ head, parts }: Message): string => {
  const hash = createHash('sha256').update(JSON.stringify({ ...photoProcessInput.parse(head), id: null }));
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Enough for the drawings that stories share; results of a story with thousands of photos are not cached. */
const done = createBoundedMap<string, Message>(500);

/**
 * The shared photo process with a cache: hundreds of stories start with the same few drawings. A cached result is
 * delivered asynchronously unless the job was cancelled.
 */
export const startCachingKitchen: StartProcess = async (onMessage) => {
  const asked = new Map<number, string>();
  const recalled = new Set<number>();
  const kitchen = await sharedKitchen((message) => {
    const { id } = photoProcessOutput.parse(message.head);
    const key = asked.get(id);
    asked.delete(id);
    // Copied, because the receiver of the pictures transfers their memory.
    if (key !== undefined && photoJobResult.safeParse(message.head).success)
      done.set(key, { ...message, parts: message.parts.map((part) => Buffer.from(part)) });
    onMessage(message);
  });
  const recall = async (id: number, { head, parts }: Message): Promise<void> => {
    recalled.add(id);
    await turn();
    if (recalled.delete(id))
      onMessage({ head: { ...photoJobResult.parse(head), id }, parts: parts.map((part) => Buffer.from(part)) });
  };
  return {
    ...kitchen,
    send: async (message) => {
      const { id, type } = photoProcessInput.parse(message.head);
      if (type === 'cancel') {
        if (recalled.delete(id)) return onMessage({ head: { type: 'cancelled', id }, parts: [] });
        return kitchen.send(message);
      }
      const key = getKey(message);
      const known = done.get(key);
      if (known) return void recall(id, known);
      asked.set(id, key);
      await kitchen.send(message);
    },
    kill: () => {
      recalled.clear();
      kitchen.kill();
    },
  };
};
