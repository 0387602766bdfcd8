import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect } from './host.ts';

/** Returns the window's reply to a call. Electron gives it as JSON. */
export const callInWindow = async (page: Page, name: string, input: unknown = {}): Promise<unknown> => {
  const reply = await page.evaluate(
    ([called, given]) =>
      (window as unknown as { companion: { call: (name: string, input: unknown) => Promise<unknown> } }).companion.call(
        called,
        given,
      ),
    [name, input] as const,
  );
  return typeof reply === 'string' ? JSON.parse(reply) : reply;
};

const state = z.object({ value: z.object({ service: z.object({ url: z.string() }) }) });

/** Calls the practice service's controls, which are open to this machine. */
export const controlPractice = async (page: Page, path: string, body: unknown): Promise<void> => {
  const { url } = state.parse(await callInWindow(page, 'app.state')).value.service;
  const told = await fetch(`${url}/practice${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(told.status).toBe(200);
};

/**
 * Makes the practice service answer a generation request only when the listing is finished. The companion then sees it
 * in its first status read instead of the second, six seconds later.
 */
export const answerAfterGeneration = (page: Page): Promise<void> =>
  controlPractice(page, '/writer', { answersWritten: true });
