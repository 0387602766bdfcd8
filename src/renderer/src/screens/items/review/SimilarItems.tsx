import { Button } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../../api/call.ts';
import type { Listing } from '../../../api/types.ts';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import type { CompsOf } from './comps.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';

/** Loaded when it is first asked for. */
const Comps = lazyComponent(async () => (await import('./Comps.tsx')).Comps);

/** What others ask for similar items, read when the person asks, and only then. */
export const SimilarItems = ({ listing, save }: { listing: Listing; save: Save | null }) => {
  const [of, setOf] = useState<CompsOf | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const use = (price: number): void =>
    void save?.({ price }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(sentenceOf(error)),
    );
  const ask = (): void =>
    setOf({
      q: listing.title ?? '',
      categoryId: listing.categoryId ?? undefined,
      marketplaceId: listing.marketplaceId ?? undefined,
    });
  return (
    <div>
      <Button size="compact-sm" aria-expanded={of !== null} onClick={() => (of === null ? ask() : setOf(null))}>
        {t('review.comps.title')}
      </Button>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      {of && <Comps of={of} listing={listing} onUse={save && use} />}
    </div>
  );
};
