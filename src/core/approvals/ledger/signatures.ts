import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

/** What a signature is about: one that was made for a row is none for a receipt. */
type Purpose = 'row' | 'statement' | 'receipt';

const messageOf = (purpose: Purpose, text: string): Buffer => Buffer.from(`listing-companion ${purpose}\n${text}`);

/** Signs with a private key that stays inside. The public key is base64 of its SPKI DER, a signature hex. */
export type Signer = {
  publicKey: string;
  fingerprint: string;
  /** Where the private key lives: in the system's keychain, or in memory for this run only. */
  keychain: 'system' | 'memory';
  sign: (purpose: Purpose, text: string) => string;
};

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** The SHA-256 of a public key's SPKI DER, in hex: what people compare. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');

/** A new private key, as text for the keychain. */
export const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Opens a private key from the keychain. Throws when the text is none. */
export const openSigner = (privateKey: string, keychain: Signer['keychain']): Signer => {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('This is no Ed25519 key.');
  const publicKey = spkiOf(createPublicKey(key)).toString('base64');
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    keychain,
    sign: (purpose, text) => sign(null, messageOf(purpose, text), key).toString('hex'),
  };
};

const signatureForm = /^[0-9a-f]{128}$/;

/** Tells whether a signature of a public key fits. */
export type Verifier = (purpose: Purpose, text: string, signature: string) => boolean;

/** Opens a public key; null for a text that is none, or that writes one in another way than usual. */
export const openVerifier = (publicKey: string): Verifier | null => {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
  } catch {
    return null;
  }
  if (key.asymmetricKeyType !== 'ed25519' || spkiOf(key).toString('base64') !== publicKey) return null;
  return (purpose, text, signature) =>
    signatureForm.test(signature) && verify(null, messageOf(purpose, text), key, Buffer.from(signature, 'hex'));
};
