import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect } from './host.ts';

/** What the window's own call answers. */
export const callInWindow = async (page: Page, name: string, input: unknown = {}): Promise<unknown> =>
  page.evaluate(
    ([called, given]) =>
      (window as unknown as { companion: { call: (name: string, input: unknown) => Promise<unknown> } }).companion.call(
        called,
        given,
      ),
    [name, input] as const,
  );

const state = z.object({ value: z.object({ service: z.object({ url: z.string() }) }) });

/** The practice service's controls, reached as a person would: they are open on this machine. */
export const control = async (page: Page, path: string, body: unknown): Promise<void> => {
  const { url } = state.parse(await callInWindow(page, 'app.state')).value.service;
  const told = await fetch(`${url}/practice${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(told.status).toBe(200);
};

/**
 * Has the practice service answer whoever has something written only when it is written. The companion then finds it
 * written at its first look, and not at the next one, six seconds later: for stories of what comes after.
 */
export const writeBeforeAnswering = (page: Page): Promise<void> => control(page, '/writer', { answersWritten: true });
