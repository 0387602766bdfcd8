import type { DrawnCeremony } from '../../core/presence/ceremonies.ts';
import { describeCeremony } from '../../host/ceremony/describeCeremony.ts';
import type { HostTranslator } from '../../host/hostTranslator.ts';
import { toPlainLine } from '../../host/noticeText.ts';
import { formatMoneyAmount } from '../../i18n/format.ts';

/** The dialog has room for a few lines. A long text loses its middle, and the total at its end stays. */
const maxReasonChars = 300;

/** Returns what the system's dialog says that the person confirms. */
export const formatSystemReason = (drawn: DrawnCeremony, { format, translate, language }: HostTranslator): string => {
  const locale = language() === 'en' ? 'en-GB' : language();
  const texts = {
    ...{ format, translate, language: language() },
    formatMoney: (minor: number, currency: string | null) => formatMoneyAmount(locale, minor, currency),
  };
  const { heading, rows, facts } = describeCeremony(drawn, texts, () => '');
  const acts = rows.map(({ act, title, lines }) =>
    [act, ...(title === null ? [] : [`“${title}”`]), ...lines].join(' '),
  );
  const act = [...(acts.length === 0 ? [heading] : acts), ...facts.map(({ label, value }) => `${label}: ${value}`)];
  return toPlainLine(format('ceremony.systemReason', { act: act.join('; ') }), maxReasonChars);
};
