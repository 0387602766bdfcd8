import {
  IconAlertTriangle,
  IconCheck,
  IconChevronRight,
  IconClock,
  IconFingerprint,
  IconHistory,
  IconReceipt,
  IconRobot,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { HistoryRow } from '../../../api/call.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { ClockTime, RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import styles from './record.module.css';
import type { RecordOutcome, RecordSign } from './recordLines.ts';

const signIcons: Readonly<Record<RecordSign, Icon>> = {
  yes: IconCheck,
  no: IconX,
  waiting: IconClock,
  wrong: IconAlertTriangle,
};

const OutcomeSign = ({ sign }: { sign: RecordSign }) => {
  const Shown = signIcons[sign];
  return <Shown size={16} aria-hidden className={styles.sign} data-sign={sign} />;
};

const kindIcons: readonly (readonly [RegExp, Icon])[] = [
  [/^(assistant|pairing|client)\./, IconRobot],
  [/^proof\./, IconFingerprint],
  [/^(approval|batch)\./, IconReceipt],
];

const EventPicture = ({ kind, photoUrl = null }: Pick<HistoryRow, 'kind' | 'photoUrl'>) => {
  if (photoUrl !== null) return <CorePicture src={photoUrl} alt="" width={40} height={40} loading="lazy" />;
  const Shown = kindIcons.find(([pattern]) => pattern.test(kind))?.[1] ?? IconHistory;
  return <Shown size={18} stroke={1.6} aria-hidden />;
};

/** `details` is the second line: what was requested, and who requested it. */
export type RecordRowTexts = {
  outcome: Omit<RecordOutcome, 'sign'> & { sign: RecordSign | null };
  subject: string | null;
  details: readonly (string | null)[];
};

type RecordRowProps = RecordRowTexts & {
  row: Pick<HistoryRow, 'seq' | 'at' | 'kind' | 'photoUrl'>;
  isBroken: boolean;
  /** Whether a heading above names the day. */
  isDated: boolean;
  /** The content that unfolds below the row. */
  children?: (id: string) => ReactNode;
};

const RowContent = ({ row, outcome, subject, details, isDated }: Omit<RecordRowProps, 'isBroken' | 'children'>) => (
  <>
    <span className={styles.picture}>
      <EventPicture {...row} />
    </span>
    <span className={styles.texts}>
      <span className={styles.title}>
        {outcome.sign !== null && <OutcomeSign sign={outcome.sign} />}
        {outcome.word}
        {subject !== null && (
          <>
            {' · '}
            <UntrustedText text={subject} fold={10_000} flag={false} />
          </>
        )}
      </span>
      <span className={styles.detail}>
        <span className={styles.seq}>{row.seq} · </span>
        {details.map(
          (text, at) =>
            text !== null && (
              <span key={at}>
                <UntrustedText text={text} fold={10_000} flag={false} /> ·{' '}
              </span>
            ),
        )}
        {isDated ? <ClockTime at={row.at} /> : <RelativeTime at={row.at} />}
      </span>
    </span>
    {outcome.amount !== '' && (
      <span className={styles.amount} data-paid={outcome.isPaid || undefined}>
        {outcome.amount}
      </span>
    )}
  </>
);

/** One row of the history. With `children` it is a button that unfolds them. */
export const RecordRow = ({ isBroken, children, ...content }: RecordRowProps) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  const broken = isBroken || undefined;
  if (!children)
    return (
      <li className={styles.row} data-broken={broken}>
        <span />
        <RowContent {...content} />
      </li>
    );
  return (
    <li>
      <button
        type="button"
        data-row
        className={styles.row}
        data-broken={broken}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={16} aria-hidden className={styles.chevron} />
        <RowContent {...content} />
      </button>
      {open && children(id)}
    </li>
  );
};
