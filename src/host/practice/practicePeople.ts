import type { PracticePerson, PracticeShop, PracticeRequest } from '../../core/companion/coreServices.ts';
import type { PracticePersonInput } from '../../practice/controls/people.ts';
import type { RunningPractice } from '../../practice/startPractice.ts';

export const practiceSite = 'MKT_US';

const readyAccount = { plan: 'Starter', connected: true, site: practiceSite } as const;

type PracticePeoplePorts = Pick<RunningPractice, 'addresses'> & {
  /** Creates a person. If the person already exists, only the key is new. */
  person: (wanted: PracticePersonInput) => Promise<Pick<PracticePerson, 'userId' | 'agentKey'>>;
};

const mailboxNames: Record<PracticeShop, string> = { empty: 'you', stocked: 'shopkeeper' };
const toShopAddress = (shop: PracticeShop, number: number): string =>
  `${mailboxNames[shop]}${number === 1 ? '' : `-${number}`}@practice.example`;

const parseShopNumber = (email: string, shop: PracticeShop): number => {
  const [whole, digits] = /^[a-z]+(?:-([1-9]\d*))?@practice\.example$/.exec(email) ?? [];
  const number = Number(digits ?? 1);
  return whole !== undefined && toShopAddress(shop, number) === email ? number : 0;
};

/**
 * Returns 0 if there is no shop of this kind. Uses the highest number, because shops with lower numbers might have been
 * removed.
 */
const getNewestShopNumber = (shop: PracticeShop, addresses: readonly string[]): number =>
  Math.max(0, ...addresses.map((email) => parseShopNumber(email, shop)));

export const isStaleShop = (email: string, addresses: readonly string[]): boolean =>
  (['empty', 'stocked'] as const).some((shop) => {
    const number = parseShopNumber(email, shop);
    return number > 0 && number < getNewestShopNumber(shop, addresses);
  });

/** Each kind of shop has its own people, so that an empty shop stays empty. */
export const createPracticePersonProvider = (
  { person, addresses }: PracticePeoplePorts,
  assistantName: () => Promise<string>,
) => {
  const createOrRenewPerson = async (email: string, shop: PracticeShop): Promise<PracticePerson> => {
    const { userId, agentKey } = await person(
      addresses().includes(email) ? { email } : { ...readyAccount, email, shop },
    );
    return { userId, agentKey, email };
  };
  return async (wish: PracticeRequest): Promise<PracticePerson> => {
    if ('again' in wish) return createOrRenewPerson(wish.again, 'empty');
    const last = getNewestShopNumber(wish.shop, addresses());
    const made = await createOrRenewPerson(
      toShopAddress(wish.shop, wish.fresh ? last + 1 : Math.max(1, last)),
      wish.shop,
    );
    return wish.shop === 'stocked' ? { ...made, assistant: await assistantName() } : made;
  };
};
