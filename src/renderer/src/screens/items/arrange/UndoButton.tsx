import { Button } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { useArrange, useLastChange } from './useArrange.ts';
import { translate } from '../../../i18n/language.ts';

/** Takes back the last change of the arrangement, by its name; nothing when there is none. */
export const UndoButton = ({ className }: { className?: string | undefined }) => {
  const arrange = useArrange();
  const last = useLastChange();
  if (last === null) return null;
  return (
    <Button className={className} size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
      {t('arrange.undo', { what: translate(last.says, last.label) })}
    </Button>
  );
};
