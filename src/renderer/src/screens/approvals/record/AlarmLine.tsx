import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { Line } from '../../../app/Line.tsx';
import { t } from '../../../i18n/t.ts';
import { alarmWords, type LedgerAlarm } from './alarmWords.ts';

/** What is wrong with the record, until the person has read it. */
export const AlarmLine = ({ alarm }: { alarm: LedgerAlarm }) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call('history.acknowledge', {}),
    onSuccess: () => Promise.all(['app', 'approvals'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
  return (
    <Line
      look
      icon={<IconAlertTriangle size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={seen.isPending} onClick={() => seen.mutate()}>
          {t('app.line.repairSeen')}
        </Button>
      }
    >
      {alarmWords(alarm)}
    </Line>
  );
};
