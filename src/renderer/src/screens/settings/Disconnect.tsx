import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import styles from './settings.module.css';

/** Forgets the key on this computer. */
export const Disconnect = ({ practice }: { practice: boolean }) => {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call('connect.forget', {}),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <section aria-label="Disconnect">
      <h2>Disconnect</h2>
      <p className={styles.soft}>
        {practice
          ? 'Leaves the practice service. You can come back with one click.'
          : 'Removes the key from this computer. Your listings and your account stay as they are.'}
      </p>
      <ConfirmButton sure="Disconnect now" onSure={() => forget.mutate()} busy={forget.isPending}>
        Disconnect
      </ConfirmButton>
      {forget.error && <ProblemLine>{sentenceOf(forget.error)}</ProblemLine>}
    </section>
  );
};
