import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { AuthenticationResponse, RegistrationResponse } from '../../../src/core/presence/passkeys.ts';

type CborValue = number | string | Buffer | Map<CborValue, CborValue>;

const encodeHead = (major: number, count: number): Buffer => {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 0x100) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
};

const encodeCbor = (value: CborValue): Buffer => {
  if (typeof value === 'number') return value >= 0 ? encodeHead(0, value) : encodeHead(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  const parts = [...value].flatMap(([key, part]) => [encodeCbor(key), encodeCbor(part)]);
  return Buffer.concat([encodeHead(5, value.size), ...parts]);
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 };

const createCoseKey = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encodeCbor(
    new Map<CborValue, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
};

/** What a page, or an attacker, can change in what the authenticator signs. */
type SignOptions = {
  origin?: string;
  topOrigin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  counter?: number;
};

export const ceremonyOrigin = 'http://localhost:4321';

const createClientData = (type: string, challenge: string, { origin, topOrigin }: SignOptions): Buffer =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge,
      origin: origin ?? ceremonyOrigin,
      crossOrigin: topOrigin !== undefined,
      ...(topOrigin === undefined ? {} : { topOrigin }),
    }),
  );

/** An authenticator with an ES256 key, as a security key or a phone has one. */
export const createSoftwareAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;

  const createAuthenticatorData = (attested: Buffer | null, options: SignOptions): Buffer => {
    counter = options.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const bits =
      flags.userPresent |
      (options.isUserVerified === false ? 0 : flags.userVerified) |
      (attested === null ? 0 : flags.attested);
    return Buffer.concat([
      sha256(options.rpId ?? 'localhost'),
      Buffer.from([bits]),
      count,
      ...(attested === null ? [] : [attested]),
    ]);
  };

  return {
    id,
    /** Answers `navigator.credentials.create`. */
    create: ({ challenge }: { challenge: string }, options: SignOptions = {}): RegistrationResponse => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, createCoseKey(publicKey)]);
      const attestation = new Map<CborValue, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', createAuthenticatorData(attested, options)],
      ]);
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: createClientData('webauthn.create', challenge, options).toString('base64url'),
          attestationObject: encodeCbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Answers `navigator.credentials.get`. */
    get: ({ challenge }: { challenge: string }, options: SignOptions = {}): AuthenticationResponse => {
      const clientData = createClientData('webauthn.get', challenge, options);
      const authenticatorData = createAuthenticatorData(null, options);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
};

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;
