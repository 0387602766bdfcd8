import { CodeStep } from './CodeStep.tsx';
import { EmailStep } from './EmailStep.tsx';
import { useConnect } from './useConnect.ts';

/** E-mail, then code. */
export const ConnectFlow = ({ onConnected }: { onConnected: () => void }) => {
  const { challenge, start, verify, restart } = useConnect(onConnected);
  if (!challenge)
    return <EmailStep busy={start.isPending} error={start.error} onEmail={(email) => start.mutate(email)} />;
  return (
    <CodeStep
      key={challenge.challengeId}
      challenge={challenge}
      busy={verify.isPending}
      error={verify.error ?? start.error}
      onCode={(code) => verify.mutate(code)}
      onNewCode={() => {
        verify.reset();
        start.mutate(challenge.email);
      }}
      onOtherAddress={restart}
    />
  );
};
