import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { companion } from './call.ts';

const throttleMs = 150;

/** Acts on the first word at once and on those that follow quickly together: 200 rows that change are a few readings. */
export const throttleByTopic = (act: (topic: string) => void) => {
  const waiting = new Map<string, { again: boolean; timer: ReturnType<typeof setTimeout> }>();
  const beat = (topic: string): void => {
    act(topic);
    const timer = setTimeout(() => {
      const again = waiting.get(topic)?.again ?? false;
      waiting.delete(topic);
      if (again) beat(topic);
    }, throttleMs);
    waiting.set(topic, { again: false, timer });
  };
  return {
    hear: (topic: string): void => {
      const under = waiting.get(topic);
      if (under) under.again = true;
      else beat(topic);
    },
    stop: (): void => waiting.forEach(({ timer }) => clearTimeout(timer)),
  };
};

/** Reads again what the core says has changed: a topic is the first part of its queries' keys. */
export const useTopics = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const beats = throttleByTopic((topic) => void client.invalidateQueries({ queryKey: [topic] }));
    const stop = companion().onChanged(beats.hear);
    return () => {
      stop();
      beats.stop();
    };
  }, [client]);
};
