import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { companion } from './call.ts';

/** Reads again what the core says has changed: a topic is the first part of its queries' keys. */
export const useTopics = (): void => {
  const client = useQueryClient();
  useEffect(() => companion().onChanged((topic) => void client.invalidateQueries({ queryKey: [topic] })), [client]);
};
