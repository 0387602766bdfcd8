import { useState } from 'react';
import type { Listing } from '../../../../api/call.ts';
import { t } from '../../../../i18n.ts';
import type { SaveListing } from '../QueuedEdits.tsx';
import styles from '../review.module.css';
import { getWeightUnits } from '../../../../../../i18n/weights.ts';
import {
  findWeightProblem,
  formatWeight,
  formatWeightUnits,
  parseWeight,
  weightPresets,
} from '../../../../components/text/packedWeight.ts';
import { TextField } from './TextField.tsx';

type Props = { listing: Listing; save: SaveListing; problems: readonly string[] | undefined };

/** The weight can be given before the first publish. The service may leave it out of its answers. */
export const PackedWeightField = ({ listing, save, problems }: Props) => {
  const [sent, setSent] = useState<number | null>(null);
  const units = getWeightUnits(listing.marketplaceId);
  const { packageWeightGrams: known } = listing;
  const grams = known ?? sent;
  const saveWeight = async (packageWeightGrams: number, onHeld?: (words: string) => void): Promise<void> => {
    await save({ packageWeightGrams }, onHeld);
    setSent(packageWeightGrams);
  };
  return (
    <div>
      <TextField
        label={t('review.weight')}
        numeric
        hint={() => formatWeightUnits(units)}
        saved={grams ? formatWeight(grams, units) : ''}
        save={(text, onHeld) => saveWeight(parseWeight(text, units) ?? 0, onHeld)}
        check={(text) => findWeightProblem(text, units)}
        problems={problems}
        suggestions={weightPresets[units].map((preset) => formatWeight(preset, units))}
      />
      {sent !== null && known !== sent && (
        <p role="status" className={styles.soft}>
          {t('review.weightUnconfirmed')}
        </p>
      )}
    </div>
  );
};
