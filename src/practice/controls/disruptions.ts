import * as z from 'zod';
import { minuteMs, formatIsoTime } from '../clock.ts';
import { buildEscapedHtml, type Html } from '../pages/html.ts';
import { noDisruptions } from '../world/disruptions.ts';
import type { World } from '../world/world.ts';

const maxDisruptionMs = 24 * 60 * minuteMs;

export const disruptionsInput = z.strictObject({
  mailDown: z.boolean().default(false),
  mailDelayMs: z.int().min(0).max(maxDisruptionMs).default(0),
  marketDownMs: z.int().min(0).max(maxDisruptionMs).default(0),
  accountSetupMs: z.int().min(0).max(maxDisruptionMs).default(0),
  callsPerMinute: z.int().min(1).max(100_000).nullable().default(null),
  keepsWrittenPhotos: z.boolean().default(false),
  encodesPhotos: z.boolean().default(false),
});
type DisruptionsInput = z.input<typeof disruptionsInput>;

/** Returns the current disruptions and the number of mails in flight. */
export const getCurrentDisruptions = ({ disruptions, mailsWaiting }: World) => ({ ...disruptions, mailsWaiting });

/** Replaces the current disruptions and returns the new ones. */
export const replaceDisruptions = (world: World, input: z.output<typeof disruptionsInput>) => {
  const { marketDownMs, ...rest } = input;
  world.disruptions = { ...rest, marketDownUntil: marketDownMs === 0 ? 0 : world.clock.now() + marketDownMs };
  return getCurrentDisruptions(world);
};

const disruptionButtons = [
  { name: 'mail', label: 'Mail service down', given: { mailDown: true } },
  { name: 'slow-mail', label: 'Mail takes 10 seconds', given: { mailDelayMs: 10_000 } },
  { name: 'market', label: 'Marketplace down for 10 minutes', given: { marketDownMs: 10 * minuteMs } },
  { name: 'setup', label: 'New accounts take a minute', given: { accountSetupMs: minuteMs } },
  { name: 'rate', label: '10 calls a minute', given: { callsPerMinute: 10 } },
  { name: 'kept-photos', label: 'Written listings keep their photos', given: { keepsWrittenPhotos: true } },
  { name: 'encoded-photos', label: 'Photos are encoded again', given: { encodesPhotos: true } },
  { name: 'none', label: 'All right again', given: null },
] as const satisfies readonly { name: string; label: string; given: DisruptionsInput | null }[];

export const disruptionForm = z.looseObject({ disruption: z.enum(disruptionButtons.map(({ name }) => name)) });

/**
 * Adds the disruption of the pressed button to the current disruptions. If the button has no disruption, ends all
 * disruptions.
 */
export const applyDisruptionButton = (world: World, { disruption }: z.output<typeof disruptionForm>): void => {
  const given = disruptionButtons.find(({ name }) => name === disruption)?.given ?? null;
  if (given === null) {
    world.disruptions = noDisruptions;
    return;
  }
  const { marketDownUntil, ...now } = world.disruptions;
  const marketDownMs = Math.max(0, marketDownUntil - world.clock.now());
  replaceDisruptions(world, disruptionsInput.parse({ ...now, marketDownMs, ...given }));
};

const describeDisruptions = ({ clock, disruptions }: World): string => {
  const { mailDown, mailDelayMs, marketDownUntil, accountSetupMs, callsPerMinute } = disruptions;
  const { keepsWrittenPhotos, encodesPhotos } = disruptions;
  const wrong = [
    ...(mailDown ? ['No mail can be sent.'] : []),
    ...(mailDelayMs > 0 ? [`Mail takes ${mailDelayMs / 1_000} s.`] : []),
    ...(marketDownUntil > clock.now() ? [`The marketplace is down until ${formatIsoTime(marketDownUntil)}.`] : []),
    ...(accountSetupMs > 0 ? [`New accounts take ${accountSetupMs / 1_000} s to set up.`] : []),
    ...(callsPerMinute === null ? [] : [`Each assistant may make ${callsPerMinute} calls a minute.`]),
    ...(keepsWrittenPhotos ? ['Uploads to a written listing change no photo.'] : []),
    ...(encodesPhotos ? ['Uploaded photos are encoded again.'] : []),
  ];
  return wrong.join(' ') || 'Nothing is wrong.';
};

export const renderDisruptionSection = (world: World): Html =>
  buildEscapedHtml`<section>
    <h2>Disruptions</h2>
    <p class="note">${describeDisruptions(world)}</p>
    <form method="post" action="/practice/page/disruptions" class="row">
      ${disruptionButtons.map(({ name, label }) => buildEscapedHtml`<button name="disruption" value="${name}" class="small">${label}</button>`)}
    </form>
  </section>`;
