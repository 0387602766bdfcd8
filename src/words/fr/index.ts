import type { Words } from '../saying.ts';
import { labels, values } from './facts.ts';
import { items } from './items.ts';
import { notices } from './notices.ts';
import { outcomes } from './outcomes.ts';
import { aside, changes, refusals } from './photos.ts';
import { problems } from './problems.ts';
import { prompts } from './prompts.ts';
import { shell } from './shell.ts';
import { siteNames, sites } from './sites.ts';
import { stops } from './stops.ts';

/** French, in the polite form. */
export const fr: Words = {
  aside,
  changes,
  items,
  labels,
  notices,
  outcomes,
  problems,
  prompts,
  refusals,
  shell,
  siteNames,
  sites,
  stops,
  values,
};
