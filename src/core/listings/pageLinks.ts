import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createBoundedMap } from '../base/boundedMap.ts';
import { problem } from '../base/problem.ts';
import type { Connection } from '../service/connection.ts';
import type { Db } from '../storage/database.ts';
import { listingPages } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** A page outside the companion. One on a host that is not known is opened only after a question. */
export type PageLink = { url: string; host: string; isKnown: boolean };

/** Whether one page may be opened, as the person is asked. */
export type LinkQuestion = { questionId: string; url: string; host: string };

export type PageLinks = {
  /** The page as it may be opened; null where it may not: only https, and the service's own address. */
  inspectLink: (url: string) => PageLink | null;
  /** The page as it is opened without a question. Throws `LINK_REFUSED` and `HOST_UNKNOWN`. */
  needKnown: (url: string) => string;
  /** Asks the person about the host of this page. Throws `LINK_REFUSED`. */
  askHost: (url: string) => LinkQuestion;
  /** The yes to that question: its page may be opened, and others on its host. Throws `NOT_FOUND.question`. */
  agreeToHost: (questionId: string) => string;
  /** The page that a publish was answered with: a host that is new stays so until the person agrees to it. */
  noteAnswered: (url: string) => string | null;
  /** All listings were read: the first time, the hosts of their pages are known from then on. */
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
  /** Where listings had their pages when all of them were first read; null before that. */
  known: z.array(z.string()).nullable().default(null),
});
type Hosts = z.infer<typeof hostsShape>;
const noHosts: Hosts = { trusted: [], strange: [], known: null };

/** The page of an address; null where it may not be opened. */
const readPage = (url: string, serviceUrl: string): URL | null => {
  const page = URL.canParse(url) ? new URL(url) : null;
  // Before an @ anything may be written, and people read it as the host.
  if (page === null || page.username !== '' || page.password !== '') return null;
  return page.protocol === 'https:' || page.origin === new URL(serviceUrl).origin ? page : null;
};

/** Judges pages outside the companion: what a service names is opened only where the person has been, or agrees. */
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
