import { formatEnglishMessage } from '../../../../i18n/english.ts';
import type { Message, MessageKey } from '../../../../i18n/message.ts';
import type { ApprovalView } from '../../api/call.ts';
import { t, translateMessage } from '../../i18n.ts';
import {
  formatApprovalState,
  getPromptAction,
  isContradictedByListing,
  isInUndoWindow,
  isSuccessUnchecked,
  isWaitingForPerson,
} from './approvalText.ts';

/** The results of publishes, by the key of their heading. Both texts have the same placeholders. */
const publishResults: Readonly<Record<string, MessageKey>> = {
  'prompts.publishOn': 'prompts.liveOn',
  'prompts.publishOnToo': 'prompts.liveOnToo',
  'prompts.publishOnChannels': 'prompts.liveOnChannels',
};

/** For example "Live on the US site". */
const formatDoneResult = ({ route, prompt }: Pick<ApprovalView, 'route' | 'prompt'>): string => {
  const { key, values } = prompt.says?.act ?? { key: '' };
  const result = publishResults[key];
  if (result === undefined) return t(`approvals.batch.stand.${getPromptAction(route)}`);
  const message: Message = { key: result, values };
  return translateMessage(message, formatEnglishMessage(message));
};

/** Returns how the request ended, or null while the prompt still asks or the yes can be taken back. */
export const formatPromptResult = (approval: ApprovalView): string | null => {
  if (isWaitingForPerson(approval) || isInUndoWindow(approval)) return null;
  const isDone = approval.state === 'done' && !isSuccessUnchecked(approval) && !isContradictedByListing(approval);
  return isDone ? formatDoneResult(approval) : formatApprovalState(approval);
};
