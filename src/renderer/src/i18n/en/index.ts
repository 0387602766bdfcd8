import { app } from './app.ts';
import { approvals } from './approvals.ts';
import { arrange } from './arrange.ts';
import { assistants } from './assistants.ts';
import { connect } from './connect.ts';
import { insights } from './insights.ts';
import { items } from './items.ts';
import { listings } from './listings.ts';
import { parts } from './parts.ts';
import { photo } from './photo.ts';
import { problems } from './problems.ts';
import { review } from './review.ts';
import { settings } from './settings.ts';

/** Every text of the screens in English, an area a file; the other languages have the same keys. */
export const en = {
  app,
  approvals,
  arrange,
  assistants,
  connect,
  insights,
  items,
  listings,
  parts,
  photo,
  problems,
  review,
  settings,
} as const;
