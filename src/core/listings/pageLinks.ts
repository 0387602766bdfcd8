import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createBoundedMap } from '../base/boundedMap.ts';
import { problem } from '../base/problem.ts';
import type { Connection } from '../service/connection.ts';
import type { Db } from '../storage/database.ts';
import { listingPages } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** An external page. A page on an unknown host opens only after confirmation. */
export type PageLink = { url: string; host: string; isKnown: boolean };

/** A confirmation that the person is asked for before a page opens. */
export type LinkQuestion = { questionId: string; url: string; host: string };

export type PageLinks = {
  /** Returns the page; null unless it uses https or is on the service's own origin. */
  inspectLink: (url: string) => PageLink | null;
  /** Returns the URL of a page on a known host. Throws `LINK_REFUSED` and `HOST_UNKNOWN`. */
  needKnown: (url: string) => string;
  /** Asks the person to confirm the host of this page. Throws `LINK_REFUSED`. */
  askHost: (url: string) => LinkQuestion;
  /** Trusts the host of a confirmed page and returns its URL. Throws `NOT_FOUND.question`. */
  agreeToHost: (questionId: string) => string;
  /** Notes the page in a publish answer. A new host stays unknown until the person confirms it. */
  noteAnswered: (url: string) => string | null;
  /** Trusts the hosts of all listing pages, once, after the first full sync. */
  learnHosts: () => void;
};

type Context = {
  settings: SettingsTable;
  db: Db;
  connection: Pick<Connection, 'who'>;
  serviceUrl: () => string;
};

const maxHosts = 200;
const maxQuestions = 50;
const hostsShape = z.object({
  trusted: z.array(z.string()),
  strange: z.array(z.string()),
  /** The hosts of listing pages at the first full sync; null before it. */
  known: z.array(z.string()).nullable().default(null),
});
type Hosts = z.infer<typeof hostsShape>;
const noHosts: Hosts = { trusted: [], strange: [], known: null };

/** Parses an address; null if it may not be opened. */
const readPage = (url: string, serviceUrl: string): URL | null => {
  const page = URL.canParse(url) ? new URL(url) : null;
  // Credentials before an @ can imitate a host name.
  if (page === null || page.username !== '' || page.password !== '') return null;
  return page.protocol === 'https:' || page.origin === new URL(serviceUrl).origin ? page : null;
};

/** Creates the check of external pages: a page named by the service opens only on a known or confirmed host. */
export const createPageLinks = ({ settings, db, connection, serviceUrl }: Context): PageLinks => {
  const questions = createBoundedMap<string, LinkQuestion & { account: string }>(maxQuestions);
  const account = (): string => connection.who()?.account ?? '';
  const nameOf = (): string => `page hosts ${account()}`;
  const readHosts = (): Hosts => settings.read(nameOf(), hostsShape) ?? noHosts;
  const writeHosts = (changes: Partial<Hosts>): void => settings.write(nameOf(), { ...readHosts(), ...changes });
  const pageIn = (url: string): URL | null => readPage(url, serviceUrl());

  const isKnown = ({ host }: URL): boolean => {
    const { trusted, known } = readHosts();
    return host === new URL(serviceUrl()).host || trusted.includes(host) || (known?.includes(host) ?? false);
  };
  const needPage = (url: string): URL => {
    const page = pageIn(url);
    if (page === null) throw problem('LINK_REFUSED', { field: 'url' });
    return page;
  };
  const inspectLink = (url: string): PageLink | null => {
    const page = pageIn(url);
    return page && { url: page.href, host: page.host, isKnown: isKnown(page) };
  };

  return {
    inspectLink,
    needKnown: (url) => {
      const page = needPage(url);
      if (!isKnown(page)) throw problem('HOST_UNKNOWN', { field: 'url', values: { host: page.host } });
      return page.href;
    },
    askHost: (url) => {
      const { href, host } = needPage(url);
      const question = { questionId: randomUUID(), url: href, host };
      questions.set(question.questionId, { ...question, account: account() });
      return question;
    },
    agreeToHost: (questionId) => {
      const question = questions.get(questionId);
      questions.delete(questionId);
      if (question?.account !== account()) throw problem('NOT_FOUND.question');
      const { trusted } = readHosts();
      if (!trusted.includes(question.host)) writeHosts({ trusted: [...trusted, question.host].slice(-maxHosts) });
      return question.url;
    },
    noteAnswered: (url) => {
      const link = inspectLink(url);
      const { strange } = readHosts();
      if (link && !link.isKnown && !strange.includes(link.host))
        writeHosts({ strange: [...strange, link.host].slice(-maxHosts) });
      return link?.url ?? null;
    },
    learnHosts: () => {
      const { known, strange } = readHosts();
      if (known !== null) return;
      const hosts = new Set(listingPages(db, account()).flatMap((url) => pageIn(url)?.host ?? []));
      writeHosts({ known: [...hosts].filter((host) => !strange.includes(host)).slice(0, maxHosts) });
    },
  };
};
