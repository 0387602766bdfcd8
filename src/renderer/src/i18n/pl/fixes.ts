import type { Words } from '../words.ts';

const choosePolicies = 'Wybierz warunki dla tej witryny';
const startPolicies = 'Utwórz podstawowe warunki';

export const fixes: Words<'one' | 'few' | 'many' | 'other'>['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'Koszt wysyłki zależy od wagi, a brakuje wagi z opakowaniem.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Waga z opakowaniem przekracza limit usługi wysyłkowej z tych warunków.',
    MARKET_TOKEN_EXPIRED: 'Konto na platformie nie jest już połączone.',
    MARKET_TRANSIENT: 'Nie udało się połączyć z platformą. Zwykle mija to w ciągu minuty.',
    MISSING_POLICIES:
      'Dla tej witryny nie ma jeszcze warunków wysyłki, płatności i zwrotów albo zapisane są nieaktualne.',
    POLICY_MARKETPLACE_MISMATCH: 'Część warunków należy do innej witryny.',
    CONDITION_NOT_ALLOWED: 'Ta kategoria nie dopuszcza tego stanu.',
    MISSING_LOCATION: 'Platforma musi wiedzieć, gdzie znajduje się przedmiot.',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Tę ofertę utworzono dla witryny, w której nie można publikować.',
    TARGET_POLICIES_REQUIRED: 'W tej witrynie nie masz jeszcze warunków sprzedaży.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'Szablon wskazuje warunki, których ta witryna nie ma.',
    POLICY_REPAIR_FAILED:
      'Platforma nie pozwoliła naprawić warunków. Sprawdź tam swoje warunki sprzedaży lub zapytaj jej obsługę klienta.',
    SELLER_SETUP_REQUIRED: 'Konto sprzedawcy na platformie nie jest w pełni skonfigurowane. Najpierw dokończ to tam.',
    INLINE_SHIPPING_OTHER_SITE: 'Wysyłka ustawiona w samej ofercie działa tylko w witrynie macierzystej.',
    TARGET_POLICIES_CHOOSE: 'Ta witryna ma kilka zestawów warunków, a aplikacja nie zgaduje, których użyć.',
    MARKET_REFUSED: 'Platforma odrzuciła ofertę z podanego powodu. Zmień to w ofercie.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Podaj wagę z opakowaniem',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Sprawdź wagę z opakowaniem',
    MARKET_TOKEN_EXPIRED: 'Zaloguj się na platformie',
    MARKET_TRANSIENT: 'Spróbuj ponownie za minutę',
    MISSING_POLICIES: 'Spróbuj jeszcze raz',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Wybierz dozwolony stan',
    MISSING_LOCATION: 'Podaj kraj i kod pocztowy',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Utwórz ponownie dla innej witryny',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Sprawdzone, spróbuj ponownie',
    SELLER_SETUP_REQUIRED: 'Skonfigurowane, spróbuj ponownie',
    INLINE_SHIPPING_OTHER_SITE: 'Wybierz warunki wysyłki dla tej witryny',
    TARGET_POLICIES_CHOOSE: 'Wybierz warunki',
    MARKET_REFUSED: 'Zmienione, spróbuj ponownie',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Wybierz inne warunki wysyłki',
    MISSING_POLICIES: startPolicies,
  },
};
