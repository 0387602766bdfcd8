import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createProblem } from '../base/problem.ts';
import type { Connection } from '../service/connection.ts';
import type { Db } from '../storage/database.ts';
import { listMarketplaceUrls } from '../storage/tables/listings/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** `isKnown` means that the page opens without confirmation. */
export type PageLink = { url: string; host: string; isKnown: boolean };

/** A question that the person must answer before a page on an unknown host opens. */
export type HostConfirmation = { questionId: string; url: string; host: string };

export type PageLinkChecker = {
  /** Returns null unless the page uses https or is on the service's own origin. */
  inspectLink: (url: string) => PageLink | null;
  /** Returns the URL of a page on a known host. Throws LINK_REFUSED or HOST_UNKNOWN. */
  needKnown: (url: string) => string;
  /** Creates the question whether the person trusts the host of the page. Throws LINK_REFUSED. */
  askHost: (url: string) => HostConfirmation;
  /** Trusts the host of a confirmed page and returns the page's URL. Throws NOT_FOUND. */
  agreeToHost: (questionId: string) => string;
  /**
   * Records the host of a page that a publish returned. A new host stays unknown until the person confirms it. Returns
   * the URL of the page, or null if the page must never open.
   */
  noteAnswered: (url: string) => string | null;
  /** Trusts the hosts of all listing pages once, after the first full sync. */
  learnHosts: () => void;
};

type Context = {
  settings: SettingsTable;
  db: Db;
  connection: Pick<Connection, 'who'>;
  serviceUrl: () => string;
};

const maxHosts = 200;
const maxHostConfirmations = 50;
const hostsShape = z.object({
  trusted: z.array(z.string()),
  strange: z.array(z.string()),
  /** The hosts of all listing pages at the first full sync; null before the first full sync. */
  known: z.array(z.string()).nullable().default(null),
});
type Hosts = z.infer<typeof hostsShape>;
const noHosts: Hosts = { trusted: [], strange: [], known: null };

const parsePageUrl = (url: string, serviceUrl: string): URL | null => {
  const page = URL.canParse(url) ? new URL(url) : null;
  // Credentials before an @ can imitate a host name.
  if (page === null || page.username !== '' || page.password !== '') return null;
  return page.protocol === 'https:' || page.origin === new URL(serviceUrl).origin ? page : null;
};

/**
 * Creates the checker of page links. A page from the service opens only if its host is known or the person has
 * confirmed it.
 */
export const createPageLinkChecker = ({ settings, db, connection, serviceUrl }: Context): PageLinkChecker => {
  const confirmations = createBoundedMap<string, HostConfirmation & { account: string }>(maxHostConfirmations);
  const readAccountName = (): string => connection.who()?.account ?? '';
  const getHostsSettingName = (): string => `page hosts ${readAccountName()}`;
  const readPageHosts = (): Hosts => settings.read(getHostsSettingName(), hostsShape) ?? noHosts;
  const writePageHosts = (changes: Partial<Hosts>): void =>
    settings.write(getHostsSettingName(), { ...readPageHosts(), ...changes });
  const parseLinkPage = (url: string): URL | null => parsePageUrl(url, serviceUrl());

  const isHostKnown = ({ host }: URL): boolean => {
    const { trusted, known } = readPageHosts();
    return host === new URL(serviceUrl()).host || trusted.includes(host) || (known?.includes(host) ?? false);
  };
  const requireAllowedPage = (url: string): URL => {
    const page = parseLinkPage(url);
    if (page === null) throw createProblem('LINK_REFUSED', { field: 'url' });
    return page;
  };
  const inspectLink = (url: string): PageLink | null => {
    const page = parseLinkPage(url);
    return page && { url: page.href, host: page.host, isKnown: isHostKnown(page) };
  };

  return {
    inspectLink,
    needKnown: (url) => {
      const page = requireAllowedPage(url);
      if (!isHostKnown(page)) throw createProblem('HOST_UNKNOWN', { field: 'url', values: { host: page.host } });
      return page.href;
    },
    askHost: (url) => {
      const { href, host } = requireAllowedPage(url);
      const question = { questionId: randomUUID(), url: href, host };
      confirmations.set(question.questionId, { ...question, account: readAccountName() });
      return question;
    },
    agreeToHost: (questionId) => {
      const question = confirmations.get(questionId);
      confirmations.delete(questionId);
      if (question?.account !== readAccountName()) throw createProblem('NOT_FOUND.question');
      const { trusted } = readPageHosts();
      if (!trusted.includes(question.host)) writePageHosts({ trusted: [...trusted, question.host].slice(-maxHosts) });
      return question.url;
    },
    noteAnswered: (url) => {
      const link = inspectLink(url);
      const { strange } = readPageHosts();
      if (link && !link.isKnown && !strange.includes(link.host))
        writePageHosts({ strange: [...strange, link.host].slice(-maxHosts) });
      return link?.url ?? null;
    },
    learnHosts: () => {
      const { known, strange } = readPageHosts();
      if (known !== null) return;
      const hosts = new Set(
        listMarketplaceUrls(db, readAccountName()).flatMap((url) => parseLinkPage(url)?.host ?? []),
      );
      writePageHosts({ known: [...hosts].filter((host) => !strange.includes(host)).slice(0, maxHosts) });
    },
  };
};
