import { GERMAN_DATES } from '../dates/german-dates.ts'
import { createStatementTest, type ActionForm, type LanguageRules } from './language-rules.ts'
import {
  buildVerbForms,
  FEW_WORDS,
  firstClause,
  globalPattern,
  lastClause,
  WHO,
} from './verb-forms.ts'

const VERBS = buildVerbForms(
  `schicken verschicken schreiben prufen machen testen andern bestellen buchen kaufen bezahlen zahlen unterschreiben
  beantragen klaren fragen holen besorgen drucken planen bauen organisieren reservieren installieren reparieren
  korrigieren telefonieren informieren dokumentieren recherchieren aktualisieren programmieren kontaktieren
  veroffentlichen benachrichtigen erstellen liefern fixen deployen mergen reviewen uberprufen kummern beauftragen
  bestatigen kundigen verschieben entwickeln formulieren erganzen vereinbaren losen melden`,
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

const ADVERBS =
  '(?:(?:dann|auch|also|noch|gleich|gern|gerne|selbst|das|es|dir|euch|ihm|ihr|ihnen|ihn|sie|mal|einfach|direkt|heute|morgen|sofort|mich|sich|uns) ){0,4}'

const FORMS: readonly ActionForm[] = [
  { pattern: /\b(?:aufgabe|to-?do|action item)(?: fur (?<who>@+))?: /g, owner: 'named' },
  {
    pattern: globalPattern(`\\bich (?:auch |dann |gleich )?(?:${VERBS.first})\\b`),
    owner: 'speaker',
  },
  { pattern: globalPattern(`\\b(?:${VERBS.first}) ich\\b(?=[^.!?]{3})`), owner: 'speaker' },
  {
    pattern: globalPattern(`\\b(?:ich werde|werde ich) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
    owner: 'speaker',
  },
  {
    pattern: globalPattern(`\\bich (?:muss|will|mochte) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
    owner: 'speaker',
    needsDueDate: true,
  },
  { pattern: globalPattern(`${WHO} ${ADVERBS}(?:${VERBS.third})\\b`), owner: 'named' },
  { pattern: globalPattern(`\\b(?:${VERBS.third}) ${ADVERBS}${WHO}`), owner: 'named' },
  {
    pattern: globalPattern(
      `${WHO} (?:wird|soll|sollte|muss|musste) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `\\b(?:wird|soll|sollte|muss) ${WHO} ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'named',
  },
  { pattern: globalPattern(`${WHO} ist (?:verantwortlich|zustandig) fur `), owner: 'named' },
  {
    pattern: globalPattern(
      `\\b(?:(?:brauche|brauchen) (?:ich|wir)|(?:ich|wir) (?:brauche|brauchen)) (?:[^\\s,;]{1,30} ){0,6}von ${WHO}`,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(`\\bvon ${WHO} (?:brauche|brauchen) (?:ich|wir) `),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `\\b(?:kannst|konntest|wurdest|magst) du ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'addressed',
    canBeQuestion: true,
  },
  {
    pattern: globalPattern(
      `\\b(?:konnt ihr|konntet ihr|wurdet ihr|konnen sie|konnten sie|wurden sie|kann jemand|konnte jemand|kann einer|kann wer) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'addressed',
    canBeQuestion: true,
  },
  {
    pattern: globalPattern(
      `@, du (?:musst|solltest|sollst) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'addressed',
  },
  {
    pattern: globalPattern(
      `(?:@, )(?:bitte )?(?:${VERBS.imperative}) (?:mir|uns|bitte|doch|mal|das|die|den|dem|dein|ihm|ihr) `,
    ),
    owner: 'addressed',
  },
  {
    pattern: globalPattern(`\\bbitte ${FEW_WORDS}(?:${VERBS.infinitive})\\b`),
    owner: 'addressed',
  },
  {
    pattern: globalPattern(
      `\\b(?:jemand (?:muss|sollte|musste)|(?:muss|sollte|musste) (?:noch )?jemand) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'nobody',
  },
  {
    pattern: globalPattern(
      `\\b(?:wir (?:mussen|sollten|werden)|lasst uns|lass uns) ${FEW_WORDS}(?:${VERBS.infinitive})\\b`,
    ),
    owner: 'nobody',
    needsDueDate: true,
  },
  {
    pattern: globalPattern(`\\b(?:wir (?:${VERBS.infinitive})|(?:${VERBS.infinitive}) wir)\\b`),
    owner: 'speaker',
    needsDueDate: true,
  },
]

const DOUBT =
  /\b(?:nicht|nie|niemals|kein|keine|keinen|niemand|vielleicht|eventuell|wurde|hatte|konnte|sagte|sagt|meinte|dachte|angeblich|warum|wieso|ob|bestimmt nicht)\b/
const CONDITION = /\b(?:wenn|falls|sofern)\b/
const AFTER_NO_TASK =
  /\b(?:nicht|nie|kein|keine|keinen|niemand|wenn|falls|gerade|schon|bereits|seit|immer|jeden|jede|jedes|normalerweise|meistens|manchmal|wurde|hatte|ware|wohl|vielleicht|jetzt|kurz|eben)\b/
const SMALL_TALK_TASK =
  /^(?:ich (?:frage mich|sage (?:mal|nur|ja|jetzt|das|es)|hole mir|melde mich (?:gleich|kurz)|teile (?:mal |kurz )?(?:meinen|den) bildschirm|mache (?:mal |kurz |jetzt )?(?:das (?:mikro|fenster|licht)|die (?:kamera|tur)|mir|es kurz|weiter|schluss)|gehe (?:davon|mal)|suche (?:gerade|mal|kurz))|(?:frage|melde) ich mich|sage ich (?:mal|jetzt|euch)|@+ (?:sagt|fragt|sucht|gibt|geht|macht sich|meldet sich (?:zu|gleich|nie))\b|(?:sagt|fragt|gibt|geht|macht|passt|spricht) )/

const STATED: readonly RegExp[] = [
  /\b(?:das|es|damit|somit)(?: ist)?(?: (?:jetzt|nun|also|damit|ist|hiermit)){0,3} (?:beschlossen|entschieden|abgemacht|vereinbart|festgelegt|beschlossene sache)\b/,
  /\bwir haben (?:uns )?(?:[^\s,;]{1,30} ){0,8}?(?:entschieden|beschlossen|geeinigt|vereinbart|festgelegt|verstandigt)\b/,
  /\b(?:dann|also|gut|okay|ok|somit|damit|deshalb|daher),? (?:nehmen|bleiben|machen|behalten|verschieben|streichen|lassen|setzen|verzichten|wahlen|entscheiden|gehen|zahlen|starten|einigen) wir\b/,
  /\b(?:dann|also|gut|okay|ok) (?:wir )?(?:bleiben wir bei|nehmen wir|entscheiden wir uns)\b/,
  /\bwir (?:bleiben bei|einigen uns auf|entscheiden uns (?:fur|gegen)|verzichten auf|nehmen (?:den|die|das))\b/,
  /\bdie entscheidung (?:ist|lautet)\b/,
  /\b(?:lasst|lass) uns (?:[^\s,;]{1,30} ){1,8}?(?:verschieben|streichen|absagen|nehmen|behalten|weglassen)\b/,
  /^(?:abgemacht|beschlossen|einverstanden),? (?:dann|also|wir)\b/,
  /\bab (?:jetzt|sofort)(?: gilt| machen| treffen| nehmen|,)/,
]
const NO_DECISION =
  /\b(?:noch nicht|nicht (?:entschieden|beschlossen)|mussen|musste|sollten|konnten|wurden|hatten|wenn|falls|ob|letzte|letzten|letztes|gestern|damals|vielleicht|eventuell|entscheiden wir (?:nachste|morgen|spater|am))\b|\?$/

export const GERMAN: LanguageRules = {
  actionForms: FORMS,
  isRuledOut: (before, matchAndAfter) =>
    DOUBT.test(lastClause(before)) ||
    CONDITION.test(before.slice(-200)) ||
    AFTER_NO_TASK.test(firstClause(matchAndAfter)) ||
    /^[^,]{0,200},? (?:wenn|falls|sofern)\b/.test(matchAndAfter) ||
    SMALL_TALK_TASK.test(matchAndAfter),
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:sind|alle|wir|ist|das|seid|ihr|damit|fur|in|so|also|dann|und|okay|ok) ?){0,6}(?:einverstanden|okay|ok|abgemacht|in ordnung|recht|einig)\?$/,
  acceptance:
    /^(?:(?:ja|ok|okay|gut|klar|gern|gerne|prima|alles klar|na gut|sicher|naturlich|einverstanden|aber gut)[ ,.!]*){1,3}(?:$|mache ich|mach ich|das mache ich|ich |kann ich)|^(?:mache? ich|das mache? ich|wird gemacht|erledige ich|ubernehme ich|kann ich (?:machen|ubernehmen))\b/,
  refusal:
    /\b(?:(?:kann|schaffe) ich (?:leider )?nicht|ich (?:kann|schaffe) (?:das )?(?:leider )?nicht|keine zeit|geht (?:bei mir )?(?:leider )?nicht|ich nicht|leider nein)\b/,
  openPoint:
    /\b(?:offene frage|offen ist (?:noch)?|noch offen|(?:wissen|weiss) (?:wir|ich|niemand|keiner)(?: \w+){0,2} noch nicht|wir wissen (?:\w+ ){0,2}noch nicht|(?:ist|bleibt) (?:noch )?(?:unklar|offen|ungeklart)|mussen (?:wir )?(?:noch )?(?:klaren|herausfinden)|wir mussen noch (?:klaren|herausfinden)|steht noch nicht fest)\b/,
  nonAnswer:
    /^(?:(?:hm+|ah|oh|tja|puh|also|ja|na|gut|okay|ehrlich gesagt)[ ,.!]*){0,3}(?:(?:sehr )?gute frage|keine ahnung|(?:das )?weiss ich (?:auch |leider |noch |gerade )?nicht|ich weiss (?:es|das)?(?: \w+)? ?nicht|da (?:muss|musste) ich|das muss ich|muss ich (?:erst |mal |noch )?(?:nachsehen|nachschauen|fragen|prufen|klaren)|das klaren wir|schwer zu sagen|mal sehen|kommt drauf an|vielleicht[.!]?$)(?!\w)/,
  topicChange:
    /^(?:(?:okay|ok|gut|prima|so|stimmt|danke|sehr schon|ja|also)[ ,.!]*){0,3}(?:nachster punkt|nachstes thema|noch etwas|noch was|eine sache noch|weiter (?:mit|geht)|kommen wir|machen wir weiter|letzter punkt|zum schluss|jetzt (?:das|die|der|zu|noch)|als nachstes|ubrigens)\b/,
  socialQuestion:
    /\b(?:hort ihr|horst du|konnt ihr mich|kannst du mich|seht ihr|siehst du|wie geht(?:'s| es)|sonst noch|noch (?:fragen|was)|habe ich (?:was|etwas) verpasst|alles klar|seid ihr (?:alle )?(?:da|so weit)|bist du (?:da|noch da)|fangen wir an|wollen wir anfangen|passt das)(?!\w)/,
  smallTalk:
    /\b(?:guten (?:morgen|tag|abend)|hallo|danke|vielen dank|tschuss|bis (?:dann|bald|nachste woche|spater)|schones wochenende|hort ihr|hore dich|bildschirm|stumm|mikro|gleich wieder da|da bin ich wieder|willkommen)\b/,
  dates: GERMAN_DATES,
}
