import type { Page } from 'playwright/test';
import * as z from 'zod';

const pairing = z.object({ pairingId: z.string(), pairingSecret: z.string(), code: z.string() });
const token = z.object({ token: z.string() });

type Answer = { status: number; body: unknown };

/** A local assistant that the person has paired. */
export type Assistant = {
  token: string;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
};

const callBridge = async (address: URL, method: string, authorization?: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(address, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

/** Pairs an assistant over the bridge; in the window the person compares the codes and accepts. */
export const pairAssistant = async (page: Page, bridgeUrl: string, name: string): Promise<Assistant> => {
  const at = (path: string): URL => new URL(path, bridgeUrl);
  const asked = pairing.parse((await callBridge(at('/companion/pairings'), 'POST', undefined, { name })).body);
  await page.getByRole('link', { name: 'Assistants' }).click();
  const row = page.getByRole('listitem').filter({ hasText: name });
  await row.getByText(asked.code, { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Accept' }).click();
  await row.getByRole('button', { name: 'Accept' }).waitFor({ state: 'detached' });
  const collected = await callBridge(
    at(`/companion/pairings/${asked.pairingId}`),
    'GET',
    `Pairing ${asked.pairingSecret}`,
  );
  const given = token.parse(collected.body).token;
  return { token: given, call: (method, path, body) => callBridge(at(path), method, `Bearer ${given}`, body) };
};
