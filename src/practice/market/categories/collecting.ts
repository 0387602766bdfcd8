import { parseCategories } from '../category.ts';

export const collecting = parseCategories('collecting', [
  {
    id: '6001',
    names: 'Art|Kunst|Art|Arte|Arte|Kunst|Sztuka|Konst',
    nouns: 'Artwork|Kunstwerk|Œuvre d’art|Opera d’arte|Obra de arte|Kunstwerk|Dzieło sztuki|Konstverk',
    keywords:
      'painting, oil painting, watercolour, watercolor, lithograph, etching, print*, art print, drawing*, poster, canvas*, gemälde, ölgemälde, aquarell, radierung, kunstdruck, peinture, tableau, aquarelle, affiche, dipinto, quadro, acquerello, stampa*, pintura, cuadro, acuarela, schilderij, aquarel, obraz, akwarela, plakat, målning, tavla, akvarell, affisch',
    conditions: 'collected',
    recommended: ['artist', 'type', 'material', 'size', 'year'],
    typicalWeightG: 1500,
    newPriceCents: [3000, 40000],
  },
  {
    id: '6002',
    names:
      'Coins & Stamps|Münzen & Briefmarken|Monnaies et timbres|Monete e francobolli|Monedas y sellos|Munten & postzegels|Monety i znaczki|Mynt & frimärken',
    nouns:
      'Collectable|Sammlerstück|Objet de collection|Pezzo da collezione|Pieza de colección|Verzamelobject|Przedmiot kolekcjonerski|Samlarobjekt',
    keywords:
      'coin, coins, stamp, stamps, banknote, münze, münzen, briefmarke, briefmarken, monnaie, timbre, timbres, moneta, monete, francobollo, francobolli, moneda, monedas, sello, sellos, munt, postzegel, postzegels, monety, znaczki, mynt, frimärke, frimärken',
    conditions: 'collected',
    recommended: ['type', 'year'],
    needsWeight: false,
    typicalWeightG: 60,
    newPriceCents: [500, 12000],
  },
  {
    id: '6003',
    names:
      'Trading Cards|Sammelkarten|Cartes à collectionner|Carte collezionabili|Cartas coleccionables|Ruilkaarten|Karty kolekcjonerskie|Samlarkort',
    nouns:
      'Trading Card|Sammelkarte|Carte à collectionner|Carta collezionabile|Carta coleccionable|Ruilkaart|Karta kolekcjonerska|Samlarkort',
    keywords:
      'pokemon, pokémon, trading card, trading cards, magic the gathering, yu-gi-oh, panini, football cards, sammelkarte, carte à collectionner, samlarkort, booster*',
    conditions: 'collected',
    recommended: ['title', 'type', 'language'],
    needsWeight: false,
    typicalWeightG: 40,
    newPriceCents: [300, 9000],
  },
  {
    id: '6004',
    names:
      'Collectables & Antiques|Sammeln & Antiquitäten|Collections et antiquités|Collezionismo e antiquariato|Coleccionismo y antigüedades|Verzamelen & antiek|Kolekcje i antyki|Samlarobjekt & antikt',
    nouns:
      'Collectable|Sammlerstück|Objet de collection|Pezzo da collezione|Pieza de colección|Verzamelobject|Przedmiot kolekcjonerski|Samlarobjekt',
    keywords:
      'antique, vintage*, collectible, collectable, memorabilia, postcard, postcards, badge, typewriter, antik, antiquität, postkarte, ansichtskarte, schreibmaschine, ancien*, carte postale, antico, cartolina, antiguo, postal*, antiek, ansichtkaart, antyk, pocztówka, antikt, vykort, advertising sign, enamel sign',
    conditions: 'collected',
    recommended: ['type', 'material', 'year', 'colour'],
    typicalWeightG: 700,
    newPriceCents: [1000, 12000],
  },
  {
    id: '6005',
    names:
      'Food & Drink Collectables|Lebensmittel-Sammlerobjekte|Objets de collection alimentaires|Collezionismo alimentare|Coleccionismo de alimentación|Eten & drinken verzamelobjecten|Kolekcje spożywcze|Samlarobjekt mat & dryck',
    nouns:
      'Food Collectable|Lebensmittel-Sammlerstück|Objet alimentaire de collection|Oggetto alimentare da collezione|Artículo de alimentación|Verzamelobject eten & drinken|Kolekcja spożywcza|Samlarobjekt mat & dryck',
    keywords:
      'tea, coffee*, chocolate, biscuits, cookies*, candy, wine, whisky, beer, olive oil, honey, ingredients, nutrition, nutrition facts, best before, net wt, net weight, tee*, kaffee*, schokolade, kekse, zutaten, mindestens haltbar, nährwerte, boîte à thé, chocolat, ingrédients, cioccolato, ingredienti, ingredientes, ingrediënten, chocolade, herbata, czekolada, składniki, choklad, ingredienser, cereal, soup, sauce, sugar*, salt*',
    conditions: 'newOnly',
    recommended: ['brand', 'type', 'volume'],
    typicalWeightG: 500,
    newPriceCents: [300, 2500],
  },
]);
