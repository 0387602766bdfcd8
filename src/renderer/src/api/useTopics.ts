import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { companion } from './call.ts';
import { inBeats } from './inBeats.ts';

/** Reads again what the core says has changed: a topic is the first part of its queries' keys. */
export const useTopics = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const beats = inBeats((topic) => void client.invalidateQueries({ queryKey: [topic] }));
    const stop = companion().onChanged(beats.hear);
    return () => {
      stop();
      beats.stop();
    };
  }, [client]);
};
