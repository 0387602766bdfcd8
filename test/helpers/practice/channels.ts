import * as z from 'zod';
import { talkTo } from '../practice.ts';

/** The person opens the page that connects the practice service's second channel, and agrees there. */
export const connectCorner = async ({ url }: { url: string }, key: string): Promise<void> => {
  const { call } = talkTo(url);
  const link = z
    .object({ connectUrl: z.string() })
    .parse((await call(key, 'GET', '/channels/corner/connect')).body).connectUrl;
  await fetch(link, { method: 'POST' });
};
