import type { CDPSession, Page } from 'playwright';

export type VirtualAuthenticator = { cdp: CDPSession; authenticatorId: string };

/** Adds an authenticator that confirms by itself, as a person with a fingerprint does. */
export const addAuthenticator = async (page: Page, { isUserVerified = true } = {}): Promise<VirtualAuthenticator> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
};

/**
 * Copies the passkeys to the authenticator of another page, because each page has its own. A copy counts its signatures
 * from `signCount`, or from where the first authenticator is.
 */
export const copyPasskeys = async (
  from: VirtualAuthenticator,
  to: VirtualAuthenticator,
  counted: { signCount?: number } = {},
): Promise<void> => {
  const { credentials } = await from.cdp.send('WebAuthn.getCredentials', { authenticatorId: from.authenticatorId });
  for (const credential of credentials)
    await to.cdp.send('WebAuthn.addCredential', {
      authenticatorId: to.authenticatorId,
      credential: { ...credential, ...counted },
    });
};
