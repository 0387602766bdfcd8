import * as z from 'zod';
import { createPracticeClient } from '../practice.ts';

/** Opens the page that connects the practice service's second channel, and confirms there. */
export const connectCorner = async ({ url }: { url: string }, key: string): Promise<void> => {
  const { call } = createPracticeClient(url);
  const link = z
    .object({ connectUrl: z.string() })
    .parse((await call(key, 'GET', '/channels/corner/connect')).body).connectUrl;
  await fetch(link, { method: 'POST' });
};

const connections = z.object({ connections: z.array(z.object({ connectionId: z.string() })) });
const template = z.object({ templateId: z.string() });

/**
 * Creates a template and connects the second channel; returns their ids. Without them, no request about them needs
 * approval.
 */
export const setUpSelling = async (practice: { url: string }, key: string) => {
  const { call } = createPracticeClient(practice.url);
  await connectCorner(practice, key);
  const listed = connections.parse((await call(key, 'GET', '/channels/connections')).body).connections;
  const { templateId } = template.parse((await call(key, 'POST', '/market/templates/create', { name: 'Books' })).body);
  return { templateId, connectionId: listed[0]?.connectionId ?? '' };
};
