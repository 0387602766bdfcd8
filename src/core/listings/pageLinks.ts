import * as z from 'zod';
import type { Connection } from '../service/connection.ts';
import type { Db } from '../storage/database.ts';
import { hasPageAt } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** The page of a listing at a marketplace. One on a host that is not known is opened only after a question. */
export type PageLink = { url: string; host: string; isKnown: boolean };

export type PageLinks = {
  /** The page as it may be opened; null where it is none: only https, and the service's own address. */
  inspectLink: (url: string, listingId: string | null) => PageLink | null;
  /** A publish was answered with this page: a host that is new stays so until the person agrees to it. */
  noteAnswered: (url: string, listingId: string | null) => string | null;
  /** The person agreed to open pages on the host of this one. */
  trustHost: (url: string) => void;
};

type Context = {
  settings: SettingsTable;
  db: Db;
  connection: Pick<Connection, 'who'>;
  serviceUrl: () => string;
};

const maxHosts = 200;
const hostsShape = z.object({ trusted: z.array(z.string()), strange: z.array(z.string()) });
type Hosts = z.infer<typeof hostsShape>;

export const createPageLinks = (context: Context): PageLinks => {
  const { settings, db, connection, serviceUrl } = context;
  const account = (): string => connection.who()?.account ?? '';
  const nameOf = (): string => `page hosts ${account()}`;
  const readHosts = (): Hosts => settings.read(nameOf(), hostsShape) ?? { trusted: [], strange: [] };
  const writeHosts = ({ trusted, strange }: Hosts): void =>
    settings.write(nameOf(), { trusted: trusted.slice(-maxHosts), strange: strange.slice(-maxHosts) });

  const pageIn = (url: string): URL | null => {
    const page = URL.canParse(url) ? new URL(url) : null;
    // Before an @ anything may be written, and people read it as the host.
    if (page === null || page.username !== '' || page.password !== '') return null;
    return page.protocol === 'https:' || page.origin === new URL(serviceUrl()).origin ? page : null;
  };

  const isKnown = ({ host, origin }: URL, listingId: string | null): boolean => {
    const { trusted, strange } = readHosts();
    if (host === new URL(serviceUrl()).host || trusted.includes(host)) return true;
    return !strange.includes(host) && hasPageAt(db, account(), `${origin}/`, listingId ?? '');
  };

  const inspectLink: PageLinks['inspectLink'] = (url, listingId) => {
    const page = pageIn(url);
    return page && { url: page.href, host: page.host, isKnown: isKnown(page, listingId) };
  };

  return {
    inspectLink,
    noteAnswered: (url, listingId) => {
      const link = inspectLink(url, listingId);
      const { trusted, strange } = readHosts();
      if (link && !link.isKnown && !strange.includes(link.host))
        writeHosts({ trusted, strange: [...strange, link.host] });
      return link?.url ?? null;
    },
    trustHost: (url) => {
      const host = pageIn(url)?.host;
      const { trusted, strange } = readHosts();
      if (host !== undefined && !trusted.includes(host)) writeHosts({ trusted: [...trusted, host], strange });
    },
  };
};
