import type { Listing } from '../../api/call.ts';
import { useServiceNotifications } from '../../api/queries.ts';
import { findTextField } from '../../api/unknownRecord.ts';
import { FactList, FactRow } from '../../components/lists/FactList.tsx';
import { formatMinorAmount, formatNumber, formatTime, getSiteCountryName } from '../../components/text/format.ts';
import { formatCondition } from '../../components/text/formatCondition.ts';
import { getWeightUnits } from '../../../../i18n/weights.ts';
import { formatWeight } from '../../components/text/packedWeight.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { TemplateName } from '../items/TemplateSelect.tsx';
import styles from '../items/review/review.module.css';
import { readStatusTimes } from './listingStatus.ts';

/** Returns the newest sale of the listing that the service has told about. */
const useListingSale = ({ listingId }: Listing) =>
  useServiceNotifications().data?.rows.find((row) => row.kind === 'sale' && row.listingId === listingId);

const UntrustedFact = ({ name, text }: { name: string; text: string | null | undefined }) => (
  <FactRow name={<UntrustedText text={name} fold={80} />}>
    {text ? <UntrustedText text={text} fold={400} /> : null}
  </FactRow>
);

const SaleFacts = ({ listing }: { listing: Listing }) => {
  const sale = useListingSale(listing);
  const soldAt = sale?.at ?? readStatusTimes(listing).endedAt;
  return (
    <>
      <UntrustedFact name={t('listings.fact.buyer')} text={sale?.buyer ?? sale?.text} />
      <FactRow name={t('listings.fact.sold')}>{soldAt === null ? null : formatTime(soldAt)}</FactRow>
      <FactRow name={t('listings.fact.amount')}>
        {sale?.amount ? <b>{formatMinorAmount(sale.amount.minor, sale.amount.currency)}</b> : null}
      </FactRow>
    </>
  );
};

const TimeFacts = ({ listing }: { listing: Listing }) => {
  const { liveAt, endedAt, status } = readStatusTimes(listing);
  const createdAt = Date.parse(listing.createdAt ?? '');
  return (
    <>
      <FactRow name={t('listings.fact.live')}>{liveAt === null ? null : formatTime(liveAt)}</FactRow>
      <FactRow name={t('listings.fact.ended')}>
        {endedAt === null || status !== 'ended' ? null : formatTime(endedAt)}
      </FactRow>
      <FactRow name={t('listings.column.listed')}>{Number.isNaN(createdAt) ? null : formatTime(createdAt)}</FactRow>
    </>
  );
};

/** The facts of a listing that was live. What a live listing lets the person change is behind its buttons. */
export const ListingFacts = ({ listing }: { listing: Listing }) => {
  const { quantity, condition, marketplaceId, packageWeightGrams } = listing;
  const templateId = findTextField(listing, 'templateId');
  return (
    <>
      <FactList label={t('listings.facts')}>
        {listing.status === 'sold' && <SaleFacts listing={listing} />}
        <FactRow name={t('review.quantity')}>{formatNumber(quantity ?? 1)}</FactRow>
        <UntrustedFact name={t('review.condition')} text={condition && formatCondition(condition)} />
        <UntrustedFact name={t('review.conditionNote')} text={listing.conditionDescription} />
        <UntrustedFact name={t('review.category')} text={listing.categoryName ?? listing.categoryId} />
        <FactRow name={t('listings.site')}>{marketplaceId ? getSiteCountryName(marketplaceId) : null}</FactRow>
        {Object.entries(listing.itemSpecifics ?? {}).map(([name, value]) => (
          <UntrustedFact key={name} name={name} text={value} />
        ))}
        <FactRow name={t('review.weight')}>
          {packageWeightGrams == null ? null : formatWeight(packageWeightGrams, getWeightUnits(marketplaceId))}
        </FactRow>
        <UntrustedFact name={t('listings.column.sku')} text={listing.sku} />
        <UntrustedFact name={t('listings.fact.number')} text={listing.marketListingId} />
        <FactRow name={t('templates.one')}>
          {templateId === null ? null : <TemplateName templateId={templateId} />}
        </FactRow>
        <TimeFacts listing={listing} />
      </FactList>
      {listing.status === 'sold' && <p className={styles.soft}>{t('help.sale')}</p>}
    </>
  );
};
