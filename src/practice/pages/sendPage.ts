import type { Response } from 'express';
import { page, pagePolicy, type Html } from './html.ts';

/** Sends a page that can run nothing. */
export const sendPage = (response: Response, title: string, body: Html, status = 200): void => {
  response.status(status).set('content-security-policy', pagePolicy).type('html').send(page(title, body));
};
