import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import {
  countSheetLabels,
  defaultLabelChoice,
  fitsPage,
  labelChoice,
  labelSheetIds,
  labelSheets,
  locateLabel,
  resolveLabelSheet,
  type LabelChoice,
  type LabelSheet,
} from '../../../../contract/labelSheets.ts';
import type { CallAnswer, CallInput } from '../../../../ipc/calls.ts';
import { callCore, resolveCoreAddress } from '../../api/call.ts';
import type { LabelTargets } from '../../api/labelTargets.ts';
import { useAppState, useSaveSettings } from '../../api/queries.ts';
import { useCoreQuery } from '../../api/useCall.ts';
import { useFocusRestore } from '../../components/Keys.tsx';
import { downloadFile } from '../../components/lists/DataTable.tsx';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { formatNumber } from '../../components/text/format.ts';
import { t } from '../../i18n.ts';
import styles from './labels.module.css';

type Preview = CallAnswer<'shelf.labelPreview'>;
type Layout = NonNullable<Preview['layout']>;
type Custom = LabelChoice['custom'];

const formatLength = (mm: number): string => formatNumber(Math.round(mm * 10) / 10);

const formatSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatLength(width)} × ${formatLength(height)} mm`;

const formatSheetName = (id: (typeof labelSheetIds)[number]): string => {
  const sheet: LabelSheet = labelSheets[id];
  const size = formatSize(sheet.label);
  return id.startsWith('roll')
    ? t('labels.roll', { size })
    : t('labels.sheetName', { name: `Avery ${id}`, count: countSheetLabels(sheet), size });
};

const getLabelTexts = ({ lines }: Layout): string => lines.map(({ text }) => text).join(', ');

/** Draws the label with the same positions as the document. */
const LabelPicture = ({ layout }: { layout: Layout }) => {
  const { width, height, qr, lines } = layout;
  const scale = qr === null ? 0 : qr.width / qr.modules;
  const path = qr?.runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('');
  return (
    <svg
      className={styles.label}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('labels.preview', { texts: getLabelTexts(layout) })}
    >
      {qr && <path d={path} transform={`translate(${qr.x} ${qr.y}) scale(${scale})`} shapeRendering="crispEdges" />}
      {lines.map(({ text, font, size, x, baseline, width: textLength }) => (
        <text
          key={baseline}
          {...{ x, y: baseline, textLength, fontSize: size, fontWeight: font === 'bold' ? 700 : 400 }}
          lengthAdjust="spacingAndGlyphs"
        >
          {text}
        </text>
      ))}
    </svg>
  );
};

type SheetPictureProps = { sheet: LabelSheet; startAt: number; total: number; onStart: (startAt: number) => void };

/** A click chooses the first free label. The number field beside it does the same with the keyboard. */
const SheetPicture = ({ sheet, startAt, total, onStart }: SheetPictureProps) => (
  <svg className={styles.sheet} viewBox={`0 0 ${sheet.page.width} ${sheet.page.height}`} aria-hidden>
    {Array.from({ length: countSheetLabels(sheet) }, (_, position) => (
      <rect
        key={position}
        {...locateLabel(sheet, position)}
        {...sheet.label}
        rx={1}
        data-state={position < startAt ? 'used' : position < startAt + total ? 'printed' : 'free'}
        onClick={() => onStart(position)}
      />
    ))}
  </svg>
);

/** Accepts a comma or a point. Returns NaN for a text that is no number. */
const parseLength = (text: string): number => (text.trim() === '' ? NaN : Number(text.replace(',', '.')));

const papers = ['a4', 'letter', 'label'] as const;
const customFields = ['width', 'height', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'] as const;

type CustomFieldsProps = { custom: Custom; onChange: (custom: Custom) => void };

const CustomSheetFields = ({ custom, onChange }: CustomFieldsProps) => {
  const [texts, setTexts] = useState<Partial<Record<(typeof customFields)[number], string>>>({});
  return (
    <div className={styles.custom}>
      <NativeSelect
        label={t('labels.paper')}
        data={[
          { value: 'a4', label: 'A4' },
          { value: 'letter', label: 'US Letter' },
          { value: 'label', label: t('labels.noPaper') },
        ]}
        value={custom.paper}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...custom, paper: papers.find((paper) => paper === value) ?? 'a4' })
        }
      />
      {customFields.map((name) => (
        <TextInput
          key={name}
          label={t(`labels.fields.${name}`)}
          inputMode="decimal"
          value={texts[name] ?? String(custom[name])}
          onChange={({ currentTarget: { value } }) => {
            setTexts({ ...texts, [name]: value });
            onChange({ ...custom, [name]: parseLength(value) });
          }}
        />
      ))}
    </div>
  );
};

type LabelsInput = CallInput<'shelf.labels'>;

/** Prints or saves the labels, and remembers the sheet. */
const useLabelDocument = (choice: LabelChoice) => {
  const save = useSaveSettings();
  const keepChoice = (): void => save.mutate({ labels: choice });
  const print = useMutation({
    mutationFn: async (input: LabelsInput) => {
      const { url } = await callCore('shelf.printLabels', input);
      if (url === null) return { blocked: null };
      const address = resolveCoreAddress(url);
      return { blocked: window.open(address, '_blank') === null ? address : null };
    },
    onSuccess: keepChoice,
  });
  const download = useMutation({
    mutationFn: async (input: LabelsInput) => {
      const { name, type, base64 } = await callCore('shelf.labels', input);
      const text = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      downloadFile({ name, type, text });
    },
    onSuccess: keepChoice,
  });
  return { print, download, busy: print.isPending || download.isPending, error: print.error ?? download.error };
};

const useLabelSheet = (saved: LabelChoice) => {
  const [choice, setChoice] = useState(saved);
  const [startAt, setStartAt] = useState(0);
  const isValid = labelChoice.safeParse(choice).success && fitsPage(resolveLabelSheet(choice));
  const [lastValid, setLastValid] = useState(defaultLabelChoice);
  if (isValid && lastValid !== choice) setLastValid(choice);
  const sheet = resolveLabelSheet(isValid ? choice : lastValid);
  const start = Math.min(startAt, countSheetLabels(sheet) - 1);
  return { choice, setChoice, isValid, sheet, startAt: start, setStartAt };
};

type SheetState = ReturnType<typeof useLabelSheet>;

const StartField = ({ sheet, startAt, setStartAt }: Pick<SheetState, 'sheet' | 'startAt' | 'setStartAt'>) => {
  const max = countSheetLabels(sheet);
  return (
    <TextInput
      type="number"
      label={t('labels.start')}
      description={t('labels.startHelp')}
      min={1}
      max={max}
      value={startAt + 1}
      disabled={max === 1}
      onChange={({ currentTarget: { valueAsNumber: number } }) =>
        setStartAt(Number.isInteger(number) ? Math.min(max, Math.max(1, number)) - 1 : 0)
      }
    />
  );
};

type SheetFieldsProps = { state: SheetState; total: number };

const SheetFields = ({ state, total }: SheetFieldsProps) => {
  const { choice, setChoice, isValid, sheet, startAt, setStartAt } = state;
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>
        <NativeSelect
          data-autofocus
          label={t('labels.sheet')}
          data={[
            ...labelSheetIds.map((value) => ({ value, label: formatSheetName(value) })),
            { value: 'custom', label: t('labels.custom') },
          ]}
          value={choice.sheet}
          onChange={({ currentTarget: { value } }) =>
            setChoice({ ...choice, sheet: labelSheetIds.find((id) => id === value) ?? 'custom' })
          }
        />
        {choice.sheet === 'custom' && (
          <CustomSheetFields custom={choice.custom} onChange={(custom) => setChoice({ ...choice, custom })} />
        )}
        {!isValid && <ProblemLine>{t('labels.doesNotFit')}</ProblemLine>}
        <StartField sheet={sheet} startAt={startAt} setStartAt={setStartAt} />
      </div>
      <SheetPicture sheet={sheet} startAt={startAt} total={total} onStart={setStartAt} />
    </div>
  );
};

const LabelSummary = ({ preview, state }: { preview: Preview; state: SheetState }) => {
  const pages = Math.ceil((state.startAt + preview.total) / countSheetLabels(state.sheet));
  return (
    <p className={styles.soft} role="status">
      {t('labels.count', { count: preview.total })} · {t('labels.pages', { count: pages })}
      {preview.withoutSku > 0 && ` · ${t('labels.withoutSku', { count: preview.withoutSku })}`}
    </p>
  );
};

type FormProps = { targets: LabelTargets; saved: LabelChoice };

const LabelsForm = ({ targets, saved }: FormProps) => {
  const state = useLabelSheet(saved);
  const { choice, isValid, startAt } = state;
  const asked = { ...targets, choice };
  const { data: preview, error } = useCoreQuery(['labels', asked], 'shelf.labelPreview', isValid ? asked : null, {
    placeholderData: keepPreviousData,
  });
  const { print, download, busy, error: failure } = useLabelDocument(choice);
  if (preview?.layout === null) return <p>{t('labels.empty')}</p>;
  const isDisabled = !isValid || preview === undefined || busy;
  const printLabels = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) print.mutate({ ...asked, startAt });
  };
  return (
    <form className={styles.form} onSubmit={printLabels}>
      <SheetFields state={state} total={preview?.total ?? 0} />
      <div className={styles.preview}>{preview && <LabelPicture layout={preview.layout} />}</div>
      {preview && <LabelSummary preview={preview} state={state} />}
      <div className={styles.foot}>
        <Button type="submit" variant="ink" loading={print.isPending} disabled={isDisabled}>
          {t('labels.print')}
        </Button>
        <Button
          loading={download.isPending}
          disabled={isDisabled}
          onClick={() => download.mutate({ ...asked, startAt })}
        >
          {t('labels.save')}
        </Button>
        <span className={styles.soft}>{t('labels.actualSize')}</span>
      </div>
      {print.data?.blocked != null && (
        <a href={print.data.blocked} target="_blank" rel="noreferrer">
          {t('labels.openPdf')}
        </a>
      )}
      <ErrorLine error={failure ?? error} />
    </form>
  );
};

export const LabelsDialog = ({ targets, onClose }: { targets: LabelTargets; onClose: () => void }) => {
  useFocusRestore();
  const saved = useAppState().data?.settings.labels;
  return (
    <Modal opened onClose={onClose} title={t('labels.title')} size={640} padding="lg">
      {saved && <LabelsForm targets={targets} saved={saved} />}
    </Modal>
  );
};
