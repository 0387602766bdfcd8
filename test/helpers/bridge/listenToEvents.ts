import { get } from 'node:http';
import * as z from 'zod';

const data = z.object({
  approval: z.looseObject({ id: z.string(), state: z.string() }).optional(),
  item: z.looseObject({ itemId: z.string(), step: z.string() }).optional(),
  listing: z.looseObject({ listingId: z.string(), news: z.string() }).optional(),
});
export type BridgeEvent = { id: string; event: string; about: string; stands: string };

const parseEvents = (block: string): BridgeEvent[] => {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const id = fields.get('id');
  if (id === undefined) return [];
  const { approval, item, listing } = data.parse(JSON.parse(fields.get('data') ?? ''));
  return [
    {
      id,
      event: fields.get('event') ?? '',
      about: approval?.id ?? item?.itemId ?? listing?.listingId ?? '',
      stands: approval?.state ?? item?.step ?? listing?.news ?? '',
    },
  ];
};

/** Listens to an assistant's events and returns the events so far and whether the stream has ended. */
export const listenToEvents = (url: string, token: string, lastId?: string) =>
  new Promise<{ events: () => BridgeEvent[]; text: () => string; over: () => boolean; close: () => void }>(
    (resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      };
      const sent = get(`${url}/companion/events`, { headers, agent: false }, (response) => {
        let got = '';
        let over = false;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (got += chunk));
        response.on('close', () => (over = true));
        response.on('error', () => undefined);
        if (response.statusCode !== 200)
          return reject(new Error(`The stream was answered with ${response.statusCode}.`));
        resolve({
          // Text after the last empty line is an incomplete event.
          events: () => got.split('\n\n').slice(0, -1).flatMap(parseEvents),
          text: () => got,
          over: () => over,
          close: () => sent.destroy(),
        });
      });
      sent.on('error', reject);
    },
  );
