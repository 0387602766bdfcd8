import { Router, urlencoded } from 'express';
import * as z from 'zod';
import { plans } from '../../contract/index.ts';
import { atomically } from '../database.ts';
import { changePlan, startPlan } from '../world/billing.ts';
import { connectChannel } from '../world/channels.ts';
import { connectMarket } from '../world/connection.ts';
import { linkKinds, openLink, useLink, type Link, type LinkKind } from '../world/links.ts';
import { knownPerson } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { html, type Html } from './html.ts';
import { sendPage } from './sendPage.ts';

type PersonPage = {
  title: string;
  body: (world: World, link: Link) => Html;
  act: (world: World, link: Link, form: Record<string, unknown>) => void;
  done: string;
};

const planCode = z.enum(plans.map(({ code }) => code));
const checkoutFacts = z.object({ plan: planCode, trial: z.boolean() });
const channelFacts = z.object({ channelId: z.string() });

const button = (label: string): Html => html`<form method="post"><button>${label}</button></form>`;

/** The pages that only the person opens: an assistant gives the link and never follows it. */
const personPage: Readonly<Record<LinkKind, PersonPage>> = {
  market: {
    title: 'Connect the marketplace',
    body: (world, { userId }) =>
      html`<p>Listing service wants to sell on the practice marketplace for ${knownPerson(world, userId).email}.</p>
        ${button('Connect this account')}`,
    act: (world, { userId }) => connectMarket(world, userId),
    done: 'The account is connected. You can close this page.',
  },
  channel: {
    title: 'Connect a channel',
    body: () => button('Connect this account'),
    act: (world, { userId, facts }) => connectChannel(world, userId, channelFacts.parse(facts).channelId),
    done: 'The channel is connected. You can close this page.',
  },
  checkout: {
    title: 'Checkout',
    body: (_world, { facts }) => {
      const { plan: code, trial } = checkoutFacts.parse(facts);
      const plan = plans.find((one) => one.code === code) ?? plans[0];
      return html`<p>
          ${plan.name}: ${plan.listingsPerMonth} listings a month for US$${(plan.priceCents / 100).toFixed(2)}.
          ${trial ? 'The first 7 days are a trial.' : ''} No money moves here.
        </p>
        ${button(`Start ${plan.name}`)}`;
    },
    act: (world, { userId, facts }) => {
      const { plan, trial } = checkoutFacts.parse(facts);
      startPlan(world, userId, plan, trial);
    },
    done: 'The plan has started. You can close this page.',
  },
  portal: {
    title: 'Billing portal',
    body: (world, { userId }) => {
      const current = knownPerson(world, userId).plan;
      return html`<p>Your plan is ${current}.</p>
        <form method="post">
          ${plans
            .filter(({ code }) => code !== current)
            .map(({ code, name }) => html`<p><button name="plan" value="${code}">Change to ${name}</button></p>`)}
        </form>`;
    },
    act: (world, { userId }, form) => changePlan(world, userId, planCode.parse(form['plan'])),
    done: 'The plan is changed. You can close this page.',
  },
};

const over = html`<h1>This link does not work any more</h1>
  <p>It was used, or a newer one took its place, or its 10 minutes are over.</p>`;

const kindOf = (text: string): LinkKind | null => linkKinds.find((kind) => kind === text) ?? null;

/** One page for each kind of link, and what its button does. */
export const personPages = (world: World): Router => {
  const router = Router();
  router.get('/:kind/:token', (request, response) => {
    const kind = kindOf(request.params.kind);
    const link = kind && openLink(world, kind, request.params.token);
    if (!kind || !link) return sendPage(response, 'Not here', over, 410);
    const { title, body } = personPage[kind];
    sendPage(
      response,
      title,
      html`<h1>${title}</h1>
        ${body(world, link)}`,
    );
  });
  router.post('/:kind/:token', urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const kind = kindOf(request.params.kind);
    const form = z.looseObject({}).catch({}).parse(request.body);
    const done =
      kind &&
      atomically(world.db, () => {
        const link = openLink(world, kind, request.params.token);
        if (!link || !useLink(world, request.params.token)) return false;
        personPage[kind].act(world, link, form);
        return true;
      });
    if (!kind || !done) return sendPage(response, 'Not here', over, 410);
    const { title, done: words } = personPage[kind];
    sendPage(
      response,
      title,
      html`<h1>${title}</h1>
        <p>${words}</p>`,
    );
  });
  return router;
};
