import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError, sentenceOf } from '../../../api/callError.ts';
import { perform } from '../../../api/perform.ts';
import { useApprovals } from '../../../api/queries.ts';
import { lockIn } from '../../approvals/locks.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';
import { heldEdits, isHeldBack, useHeldListings, type Edits } from './heldEdits.ts';

const retryS = 3;

/** An edit; of a listing that went live meanwhile a change of what is live, which is asked about. */
const sendEdits = async (listingId: string, body: Edits) => {
  const input = { params: { listingId }, body };
  try {
    return await perform('updateListing', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'WRONG_STATE') throw error;
    return perform('reviseListing', input);
  }
};

/** Sends what is held of a listing; answers in how many seconds to try again, or null when it is settled. */
const useSend = () => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return useCallback(
    async (listingId: string): Promise<number | null> => {
      const held = heldEdits.take(listingId);
      if (!held) return null;
      try {
        const performed = await sendEdits(listingId, held.changes);
        if (performed.state === 'pending') show(performed.approvalId);
        for (const { resolve } of held.waiting) resolve();
      } catch (error) {
        if (isHeldBack(error)) {
          heldEdits.putBack(listingId, held);
          return error.retryAfterS ?? retryS;
        }
        // Its field says so too, where it is still open.
        notifications.show({ message: sentenceOf(error), color: 'amber' });
        for (const { reject } of held.waiting) reject(error);
      }
      await client.invalidateQueries({ queryKey: ['listings'] });
      return null;
    },
    [client, show],
  );
};

/** Sends edits that came while their listing was being decided, as soon as it is free. Draws nothing. */
export const HeldEdits = () => {
  const approvals = useApprovals().data;
  const listings = useHeldListings();
  const send = useSend();
  const sending = useRef(new Set<string>());
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    for (const listingId of listings) {
      if (sending.current.has(listingId) || lockIn(approvals ?? [], listingId) !== null) continue;
      sending.current.add(listingId);
      void send(listingId).then((againS) => {
        const again = (): void => {
          sending.current.delete(listingId);
          setBeat((before) => before + 1);
        };
        setTimeout(again, (againS ?? 0) * 1_000);
      });
    }
  }, [approvals, listings, beat, send]);
  return null;
};
