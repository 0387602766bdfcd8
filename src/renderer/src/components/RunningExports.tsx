import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CallAnswer } from '../../../ipc/calls.ts';
import { callCore, resolveCoreAddress } from '../api/call.ts';
import { useCoreQuery } from '../api/useCall.ts';
import { t } from '../i18n.ts';
import { downloadFromUrl } from './lists/DataTable.tsx';
import { formatNumber } from './text/format.ts';
import { ErrorLine } from './ScreenPage.tsx';
import styles from './page.module.css';

/** Downloads an exported file, unless the export was cancelled. */
export const downloadExport = (file: CallAnswer<'listings.export'>): void => {
  if (file) downloadFromUrl({ name: file.name, url: resolveCoreAddress(file.url) });
};

type RunningExport = CallAnswer<'exports.list'>[number];

const formatExportProgress = ({ kind, isWaiting, done, total }: RunningExport): string => {
  if (isWaiting) return t('exports.waiting');
  if (kind === 'backup' || kind === 'databaseCheck')
    return t(`exports.${kind}`, { done: formatNumber(Math.floor((100 * done) / Math.max(1, total))) });
  return t(`exports.${kind}`, { done: formatNumber(done), total: formatNumber(total) });
};

/** Shows the running and waiting exports of these kinds, with their progress. */
export const RunningExports = ({ kinds }: { kinds: readonly RunningExport['kind'][] }) => {
  const { data: all = [] } = useCoreQuery(['exports'], 'exports.list', {});
  const cancel = useMutation({ mutationFn: (exportId: string) => callCore('exports.cancel', { exportId }) });
  return (
    <>
      {all
        .filter(({ kind }) => kinds.includes(kind))
        .map((one) => (
          <p key={one.exportId} className={styles.work}>
            {formatExportProgress(one)}
            <Button
              size="compact-sm"
              variant="quiet"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(one.exportId)}
            >
              {t('exports.cancel')}
            </Button>
          </p>
        ))}
      <ErrorLine error={cancel.error} />
    </>
  );
};
