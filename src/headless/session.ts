import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const newSecret = (): string => randomBytes(24).toString('base64url');
/** In hexadecimal digits, as names of hosts know no capital letters. */
const newName = (): string => randomBytes(20).toString('hex');
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
/** Takes the same time whatever differs. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** A way into the window that works once. */
export type Link = { token: string; used: Promise<void> };

/** Who may use the window of this run: pages that came by a link, and tabs of theirs. */
export type Session = {
  /**
   * The name of this run's window, a host of its own below `localhost`. What browsers keep of a host (answers, service
   * workers, permissions) nobody else can have left there: by the port alone another server may have had the same one.
   */
  name: string;
  newLink: () => Link;
  /** The secret of this run for the page that comes by a link first. */
  enter: (token: string) => { secret: string } | 'used' | 'unknown';
  isSecret: (given: string) => boolean;
  /** Names the place of pictures and uploads, as neither an image nor its address can carry the secret. */
  place: string;
  isPlace: (given: string) => boolean;
};

/**
 * Starts a session. It has no cookie: browsers send the cookies of a host to every port of it, so that a server of
 * somebody else on this machine could be given them too.
 */
export const createSession = (): Session => {
  const [secret, place] = [newSecret(), newSecret()];
  const links: { token: string; use: (() => void) | null }[] = [];
  return {
    name: newName(),
    newLink: () => {
      const { promise: used, resolve } = Promise.withResolvers<void>();
      const token = newSecret();
      links.push({ token, use: resolve });
      return { token, used };
    },
    enter: (token) => {
      const link = links.find((one) => same(token, one.token));
      if (link === undefined) return 'unknown';
      if (link.use === null) return 'used';
      link.use();
      link.use = null;
      return { secret };
    },
    isSecret: (given) => same(given, secret),
    place,
    isPlace: (given) => same(given, place),
  };
};
