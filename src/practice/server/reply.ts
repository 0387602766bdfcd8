import type { Response } from 'express';
import { Refusal } from '../refusal.ts';
import { closeUnread } from '../../loopback/closeUnread.ts';

/** What a call is answered with. */
export type Reply = { status: number; headers: Record<string, string>; body: unknown };

/** The reply of something thrown. What is not a refusal is a fault of the service, and only its own log hears more. */
export const replyOf = (thrown: unknown, report: (error: unknown) => void): Reply => {
  if (thrown instanceof Refusal) {
    const { code, headers = {}, body = {} } = thrown.facts;
    return {
      status: thrown.status,
      headers,
      body: { error: thrown.message, ...(code === undefined ? {} : { code }), ...body },
    };
  }
  report(thrown);
  return { status: 500, headers: {}, body: { error: 'Something went wrong in the service.' } };
};

/** Sends a reply; text as it is, everything else as JSON. Of a request that is larger than it may be the rest is not waited for. */
export const send = (response: Response, { status, headers, body }: Reply): void => {
  response.status(status).set(headers);
  if (status === 413 && !response.req.complete) closeUnread(response.type('json'), JSON.stringify(body));
  else if (typeof body === 'string') response.send(body);
  else response.json(body);
};
