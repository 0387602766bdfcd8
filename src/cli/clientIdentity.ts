import { readFileSync, writeFileSync } from 'node:fs';
import { Problem } from '../core/base/problem.ts';
import { isIdentity, newIdentity } from '../host/clientTokens.ts';

/** Where a client's configuration may hold its identity in place of the flag. */
export const identityVariable = 'LISTING_COMPANION_IDENTITY';

/**
 * The identity that the configuration of a client holds, or null when it holds none. The name that a client gives itself
 * is none: any program can take any name. Throws `MISUSE`.
 */
export const identityOf = (flag: string | undefined, env: NodeJS.ProcessEnv): string | null => {
  const given = flag ?? env[identityVariable];
  if (given === undefined || given === '') return null;
  if (!isIdentity(given))
    throw new Problem(
      'MISUSE',
      'This is no identity. Take the one that Listing Companion, Assistants, shows for this client, or make one with "listing-companion mcp --new-identity".',
    );
  return given;
};

/**
 * The identity of an installed bundle, which lies in the bundle's own folder and is made at its first start; null where
 * that folder takes no file.
 */
export const installedIdentity = (file: string): string | null => {
  try {
    writeFileSync(file, newIdentity(), { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // It is there already, or cannot be written; reading it tells which.
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    return isIdentity(text) ? text : null;
  } catch {
    return null;
  }
};
