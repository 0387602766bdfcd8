import * as z from 'zod';
import { feeAnswer } from '../../../contract/index.ts';
import { readService } from '../bodyOf.ts';
import { withoutUndefined } from '../asking.ts';
import { ageS, cents, asCode, currency, listingId, marketplaceId, nextStep, untrusted } from '../fields.ts';
import { hints, tool } from '../tool.ts';

export const quoteFees = tool({
  name: 'quote_fees',
  title: 'Quote the fees of publishing',
  description:
    'Ask the marketplace what publishing this listing would cost. Draws on a daily budget: once before a publish, never in a loop.',
  input: z.object({ listingId, marketplaceId }),
  output: z.object({
    state: z.enum(['fee', 'free', 'unavailable']),
    currency,
    totalCents: cents.nullable(),
    lines: z.array(z.object({ untrustedName: untrusted, amountCents: z.int() })),
    untrustedReason: untrusted.nullable().describe('Why there is no quote.'),
    feeNoticeConfirmedSites: z.array(z.string()),
    ageS,
    nextStep,
  }),
  hints: hints.reads,
  run: async ({ listingId: id, marketplaceId: site }, context) => {
    const { body, ageS: age } = await readService(context, 'quoteFees', {
      params: { listingId: id },
      body: withoutUndefined({ action: 'quote', marketplaceId: site }),
    });
    const { quote, feeNotice } = feeAnswer.parse(body);
    return {
      state: quote?.state ?? 'unavailable',
      currency: asCode(quote?.currency),
      totalCents: quote?.totalMinor ?? null,
      lines: (quote?.lines ?? []).map(({ name, amountMinor }) => ({ untrustedName: name, amountCents: amountMinor })),
      untrustedReason: quote?.reason ?? null,
      feeNoticeConfirmedSites: feeNotice?.confirmedSites ?? [],
      ageS: age,
      nextStep: 'Tell the person the fee. publish_listing shows it to them again and asks for their yes.',
    };
  },
  summarize: ({ state, totalCents, currency: of }) =>
    state === 'fee' && totalCents !== null ? `The fee is ${totalCents} cents ${of ?? ''}.` : `The fee is ${state}.`,
});
