import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const cookieOf = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
};

/** Who may use the window of this run: the browser that opened the link, once, and holds the cookie since. */
export type Session = {
  linkToken: string;
  /** The cookie for the browser that opens the link first; null for a wrong token or a second time. */
  enter: (token: string) => string | null;
  holds: (cookieHeader: string | undefined) => boolean;
};

/** Starts a session. The cookie bears the port in its name, as browsers share cookies between the ports of a host. */
export const createSession = (port: number): Session => {
  const linkToken = randomBytes(24).toString('base64url');
  const key = randomBytes(24).toString('base64url');
  const name = `companion_${port}`;
  let used = false;
  return {
    linkToken,
    enter: (token) => {
      if (used || !same(token, linkToken)) return null;
      used = true;
      return `${name}=${key}; Path=/; HttpOnly; SameSite=Strict`;
    },
    holds: (header) => {
      const value = cookieOf(header, name);
      return value !== null && same(value, key);
    },
  };
};
