import { Button } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { useArrange, useLastChange } from './useArrange.ts';
import { told } from '../../../i18n/told.ts';

/** Takes back the last change of the arrangement, by its name; nothing when there is none. */
export const UndoButton = ({ className }: { className?: string | undefined }) => {
  const arrange = useArrange();
  const last = useLastChange();
  if (last === null) return null;
  return (
    <Button className={className} size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
      {t('arrange.undo', { what: told({ key: `changes.${last.label}` }, last.label) })}
    </Button>
  );
};
