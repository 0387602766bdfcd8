import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

/** The purpose is part of the signed text, so a signature of a row is not valid for a receipt. */
type SignaturePurpose = 'row' | 'statement' | 'receipt';

const createMessageToSign = (purpose: SignaturePurpose, text: string): Buffer =>
  Buffer.from(`listing-companion ${purpose}\n${text}`);

/** `publicKey` is the SPKI DER in base64. */
export type SignerFacts = {
  publicKey: string;
  fingerprint: string;
  /** `memory` means that the private key exists only during this run. */
  keychain: 'system' | 'memory';
};

/** Returns one signature for each text, in hex. */
export type SignTexts = (purpose: SignaturePurpose, texts: readonly string[]) => string[];

/** A signer never exposes the private key. */
export type Signer = SignerFacts & {
  sign: (purpose: SignaturePurpose, text: string) => string;
  signAll: SignTexts;
};

export const createSigner = (facts: SignerFacts, signAll: SignTexts): Signer => ({
  ...facts,
  signAll,
  sign: (purpose, text) => signAll(purpose, [text]).join(''),
});

const exportSpki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** Returns the SHA-256 of a public key in hex, which people can compare. */
export const computeKeyFingerprint = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');

export const createPrivateKeyText = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Throws if the text is not an Ed25519 private key in base64. */
export const openSigner = (privateKey: string, keychain: Signer['keychain']): Signer => {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('This is no Ed25519 key.');
  const publicKey = exportSpki(createPublicKey(key)).toString('base64');
  return createSigner({ publicKey, fingerprint: computeKeyFingerprint(publicKey), keychain }, (purpose, texts) =>
    texts.map((text) => sign(null, createMessageToSign(purpose, text), key).toString('hex')),
  );
};

const signaturePattern = /^[0-9a-f]{128}$/;

export type Verifier = (purpose: SignaturePurpose, text: string, signature: string) => boolean;

/** Returns a function that verifies signatures; null if the text is not an Ed25519 public key in canonical base64. */
export const openVerifier = (publicKey: string): Verifier | null => {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
  } catch {
    return null;
  }
  if (key.asymmetricKeyType !== 'ed25519' || exportSpki(key).toString('base64') !== publicKey) return null;
  return (purpose, text, signature) =>
    signaturePattern.test(signature) &&
    verify(null, createMessageToSign(purpose, text), key, Buffer.from(signature, 'hex'));
};
