import type { Words } from '../words.ts';
import { account } from './account.ts';
import { app } from './app.ts';
import { approvals } from './approvals.ts';
import { arrange } from './arrange.ts';
import { assistants } from './assistants.ts';
import { connect } from './connect.ts';
import { help } from './help.ts';
import { fixes } from './fixes.ts';
import { insights } from './insights.ts';
import { items } from './items.ts';
import { listings } from './listings.ts';
import { news } from './news.ts';
import { parts } from './parts.ts';
import { photo } from './photo.ts';
import { review } from './review.ts';
import { selling } from './selling.ts';
import { settings } from './settings.ts';

/** French, in the polite form. */
export const fr: Words = {
  account,
  app,
  approvals,
  arrange,
  assistants,
  connect,
  help,
  fixes,
  insights,
  items,
  listings,
  news,
  parts,
  photo,
  review,
  selling,
  settings,
};
