import type { Log, Secrets } from '../../base/ports.ts';
import { problemView } from '../../base/problem.ts';
import { newPrivateKey, openSigner, type Signer } from './signatures.ts';

/** The name of the private key in the keychain. */
const secretName = 'ledger-key';

/** The key that signs the ledger, and whether the keychain had it already. */
export type LedgerKey = { signer: Signer; wasKept: boolean };

const kept = async (secrets: Secrets): Promise<Signer | null> => {
  const text = await secrets.get(secretName);
  if (text === null) return null;
  try {
    return openSigner(text, secrets.kind);
  } catch {
    // What is in its place is no key: a new one begins, and the ledger shows it.
    return null;
  }
};

/**
 * Takes the key that signs the ledger from the keychain, and makes it at the first start. Where the keychain does not
 * answer, the key is one for this run only.
 */
export const openLedgerKey = async (secrets: Secrets, log: Log): Promise<LedgerKey> => {
  const made = newPrivateKey();
  try {
    const signer = await kept(secrets);
    if (signer) return { signer, wasKept: true };
    await secrets.set(secretName, made);
    return { signer: openSigner(made, secrets.kind), wasKept: false };
  } catch (error) {
    log('warn', 'the key that signs the ledger is one for this run', { code: problemView(error).code });
    return { signer: openSigner(made, 'memory'), wasKept: false };
  }
};
