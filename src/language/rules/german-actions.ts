import type { ActionForm } from './language-rules.ts'
import {
  createFutureForms,
  buildVerbForms,
  FEW_WORDS,
  WHO,
  byNamed,
  bySpeaker,
  IF_DUE,
  byAddressed,
  QUESTION,
  byNobody,
  createRuledOutTest,
} from './verb-forms.ts'

const VERBS = buildVerbForms(
  `schicken verschicken schreiben prufen machen testen andern bestellen buchen kaufen bezahlen zahlen unterschreiben
  beantragen klaren fragen holen besorgen drucken planen bauen organisieren reservieren installieren reparieren
  korrigieren telefonieren informieren dokumentieren recherchieren aktualisieren programmieren kontaktieren
  veroffentlichen benachrichtigen erstellen liefern fixen deployen mergen reviewen uberprufen kummern beauftragen
  bestatigen kundigen verschieben entwickeln formulieren erganzen vereinbaren losen melden loschen verlangern berechnen
  kurzen sichern backen mieten entfernen ersetzen analysieren optimieren migrieren archivieren kopieren scannen buchen
  verlegen verkaufen erneuern verpacken sortieren beschriften ubergeben uberarbeiten uberweisen protokollieren`,
  [
    'senden sende sendet',
    'erledigen erledige erledigt',
    'ubernehmen ubernehme ubernimmt',
    'anpassen passe passt - - pass|passe',
    'vorbereiten bereite bereitet - - bereite',
    'einrichten richte richtet - - richte',
    'beheben behebe behebt',
    'nachfragen frage fragt',
    'anfragen frage fragt',
    'anrufen rufe ruft - - ruf|rufe',
    'sprechen spreche spricht - - sprich',
    'absprechen spreche spricht - - sprich',
    'besprechen bespreche bespricht',
    'zusagen sage sagt - - sag',
    'absagen sage sagt - - sag',
    'weiterleiten leite leitet - - leite',
    'hochladen lade ladt - - lade',
    'einladen lade ladt - - lade',
    'mitbringen bringe bringt - - bring',
    'bringen bringe bringt - - bring',
    'abholen hole holt - - hol',
    'zusammenstellen stelle stellt - - stell|stelle',
    'fertigstellen stelle stellt - - stell|stelle',
    'umsetzen setze setzt - - setz|setze',
    'ubersetzen ubersetze ubersetzt',
    'sammeln sammle sammelt - - sammle|sammel',
    'antworten antworte antwortet',
    'abschliessen schliesse schliesst',
    'zuruckgeben gebe gibt - - gib',
    'abgeben gebe gibt - - gib',
    'weitergeben gebe gibt - - gib',
    'nachreichen reiche reicht',
    'einreichen reiche reicht',
    'verteilen verteile verteilt',
    'vergleichen vergleiche vergleicht',
    'messen messe misst - - miss',
    'heraussuchen suche sucht - - such|suche',
    'suchen suche sucht - - such|suche',
    'durchgehen gehe geht',
    'aufsetzen setze setzt - - setz|setze',
    'ausarbeiten arbeite arbeitet',
    'entwerfen entwerfe entwirft',
    'nachschauen schaue schaut - - schau',
  ],
  (infinitive) => {
    const stem = infinitive.replace(/e?n$/, '')
    const third = /[td]$/.test(stem) ? `${stem}et` : `${stem}t`
    return {
      infinitive,
      first: `${stem}e`,
      third,
      futureFirst: infinitive,
      futureThird: infinitive,
      imperative: `${stem}|${stem}e`,
    }
  },
)

/** In speech the last letter is often left out: "ich schreib", "mach ich". */
const FIRST_PERSON = VERBS.first.replaceAll(/e(?=\||$)/g, 'e?')

const ADVERBS =
  '(?:(?:dann|auch|also|noch|gleich|gern|gerne|selbst|das|es|dir|euch|ihm|ihr|ihnen|ihn|sie|mal|einfach|direkt|heute|morgen|sofort|mich|sich|uns) ){0,4}'

/** Promises with verbs that are not in the list. */
const OTHER_VERBS = createFutureForms({
  speaker: `(?:ich werde|werde ich) ${ADVERBS}`,
  named: `wird ${ADVERBS}`,
  article: '(?:das|die|den|dem|der|ein|eine|einen|unsere?n?|eure?n?|alle|zwei|drei|\\d+) ',
  infinitive: '[a-z]{3,20}(?:e|er|el)n',
  noTask: [
    'haben|sein|werden|sehen|ansehen|anschauen|wissen|sagen|zeigen|teilen|erklaren|erlautern|vorstellen|erzahlen|erwahnen|vermissen',
    'verlieren|gewinnen|horen|anhoren|zuhoren|verstehen|bleiben|gehen|kommen|fahren|lassen|nehmen|brauchen|wollen|mussen|konnen',
    'ansprechen|beantworten|vorlesen|nutzen|benutzen|verwenden|unterstutzen|akzeptieren|verpassen|genies+en|trinken|essen|beginnen|beenden',
    'verlassen|begrussen|moderieren|merken|vergessen|denken|glauben|hoffen|lieben|hassen|mogen|erleben|bekommen|erhalten|kriegen',
  ].join('|'),
  callObject:
    'bildschirm|meeting|call|besprechung|kamera|mikrofon|mikro|chat|frage|punkt|folien?|zug|bus',
  isVerbLast: true,
})

export const GERMAN_ACTION_FORMS: readonly ActionForm[] = [
  byNamed(/\b(?:aufgabe|to-?do|action item)(?: fur (?<who>@+))?: /dg),
  ...OTHER_VERBS,
  bySpeaker(`\\bich (?:auch |dann |gleich )?(?:${FIRST_PERSON})\\b`),
  bySpeaker(`\\b(?:${FIRST_PERSON}) ich\\b`),
  bySpeaker(`\\b(?:ich werde|werde ich) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
  bySpeaker(`\\bich (?:muss|will|mochte|kann) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`, IF_DUE),
  byNamed(`${WHO} ${ADVERBS}(?:${VERBS.third})\\b`),
  byNamed(`\\b(?:${VERBS.third}) ${ADVERBS}${WHO}`),
  byNamed(`${WHO} (?:wird|soll|sollte|muss|musste) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
  byNamed(`\\b(?:wird|soll|sollte|muss) ${WHO} ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
  byNamed(
    `@+ und ${WHO} (?:(?:werden|sollen|mussen) ${FEW_WORDS}(?:${VERBS.infinitive})|${VERBS.infinitive}|bereiten|rufen|stellen|setzen|richten|laden|passen)\\b`,
  ),
  byNamed(
    `${WHO} hat (?:versprochen|zugesagt|angeboten),? ${FEW_WORDS}zu (?:${VERBS.infinitive})\\b`,
  ),
  byAddressed(
    /@,? (?!hast|bist|kannst|weisst|siehst|horst|meinst|denkst|glaubst|findest|willst|musst|sollst|magst|wurdest|konntest|warst|hattest|verstehst|kennst)[a-z]{3,15}st du (?!mich|mir|schon|dir das vor|gerade)/g,
    QUESTION,
  ),
  byAddressed(/@,? denke? (?:bitte )?(?:an|daran)\b/g),
  byNamed(`${WHO} ist (?:verantwortlich|zustandig) fur `),
  byNamed(
    `\\b(?:(?:brauche|brauchen) (?:ich|wir)|(?:ich|wir) (?:brauche|brauchen)) (?:[^\\s,;]{1,30} ){0,6}von ${WHO}`,
  ),
  byNamed(`\\bvon ${WHO} (?:brauche|brauchen) (?:ich|wir) `),
  byAddressed(
    `\\b(?:kannst|konntest|wurdest|magst) du ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    QUESTION,
  ),
  byAddressed(
    `\\b(?:konnt ihr|konntet ihr|wurdet ihr|konnen sie|konnten sie|wurden sie|kann jemand|konnte jemand|kann einer|kann wer) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    QUESTION,
  ),
  byAddressed(`@, du (?:musst|solltest|sollst) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
  byAddressed(
    `(?:@, )(?:bitte )?(?:${VERBS.imperative}) (?:mir|uns|bitte|doch|mal|das|die|den|dem|dein|ihm|ihr) `,
  ),
  byAddressed(`\\bbitte ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
  byNobody(
    `\\b(?:jemand (?:muss|sollte|musste)|(?:muss|sollte|musste) (?:noch )?jemand) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
  ),
  byNobody(
    `\\b(?:wir (?:mussen|sollten|werden)|lasst uns|lass uns) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    IF_DUE,
  ),
  bySpeaker(`\\b(?:wir (?:${VERBS.infinitive})|(?:${VERBS.infinitive}) wir)\\b`, IF_DUE),
]

export const isGermanTaskRuledOut = createRuledOutTest({
  doubt:
    /\b(?:nicht|nie|niemals|kein|keine|keinen|niemand|vielleicht|eventuell|wurde|hatte|konnte|sagte|sagt|meinte|dachte|angeblich|warum|wieso|ob|bestimmt nicht)\b/,
  condition: /\b(?:wenn|falls|sofern)\b/,
  notAfter:
    /\b(?:nicht|nie|kein|keine|keinen|niemand|wenn|falls|gerade|schon|bereits|seit|immer|jeden|jede|jedes|normalerweise|meistens|manchmal|wurde|hatte|ware|wohl|vielleicht|jetzt|kurz|eben)\b/,
  conditionAfter: /^[^,]{0,200},? (?:wenn|falls|sofern)\b/,
  smallTalk:
    /^(?:ich (?:frage? mich|gebe? (?:dir|ihnen|euch|ihm|ihr|@+) recht|gebe? zu|stelle? (?:mir|fest)|bringe? (?:das|ein|mal ein) beispiel|mache? mir (?:keine |schon )?sorgen|setze? voraus|sage? (?:mal|nur|ja|jetzt|das|es)|hole? mir|melde? mich (?:gleich|kurz)|teile? (?:mal |kurz )?(?:meinen|den) bildschirm|mache? (?:mal |kurz |jetzt )?(?:das (?:mikro|fenster|licht)|die (?:kamera|tur)|mir|es kurz|weiter|schluss)|gehe? (?:davon|mal)|suche? (?:gerade|mal|kurz))|(?:frage?|melde?) ich mich|mache? ich mir|sage? ich (?:mal|jetzt|euch)|@+ (?:sagt|fragt|sucht|gibt|geht|macht sich|meldet sich (?:zu|gleich|nie))\b|(?:sagt|fragt|gibt|geht|macht|passt|spricht) )/,
})
