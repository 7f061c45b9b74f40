import { dateRule, type DateLanguage } from '../due-date.ts'
import { GERMAN_ACTION_FORMS, isGermanTaskRuledOut } from './german-actions.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'

const STATED: readonly RegExp[] = [
  /\b(?:das|es|damit|somit)(?: ist)?(?: (?:jetzt|nun|also|damit|ist|hiermit)){0,3} (?:beschlossen|entschieden|abgemacht|vereinbart|festgelegt|beschlossene sache)\b/,
  /\bwir haben (?:uns )?(?:[^\s,;]{1,30} ){0,8}?(?:entschieden|beschlossen|geeinigt|vereinbart|festgelegt|verstandigt)\b/,
  /\b(?:dann|also|gut|okay|ok|somit|damit|deshalb|daher),? (?:beschlies+en|nehmen|bleiben|machen|behalten|verschieben|streichen|lassen|setzen|verzichten|wahlen|entscheiden|gehen|zahlen|starten|einigen) wir\b/,
  /\b(?:dann|also|gut|okay|ok) (?:wir )?(?:bleiben wir bei|nehmen wir|entscheiden wir uns)\b/,
  /\bwir (?:bleiben bei|einigen uns auf|entscheiden uns (?:fur|gegen)|verzichten auf|nehmen (?:den|die|das))\b/,
  /\bdie entscheidung (?:ist|lautet)\b/,
  /\b(?:lasst|lass) uns (?:[^\s,;]{1,30} ){1,8}?(?:verschieben|streichen|absagen|nehmen|behalten|weglassen)\b/,
  /^(?:abgemacht|beschlossen|einverstanden),? (?:dann|also|wir)\b/,
  /\bab (?:jetzt|sofort)(?: gilt| machen| treffen| nehmen|,)/,
]
const NO_DECISION =
  /\b(?:noch nicht|nicht (?:entschieden|beschlossen)|mussen|musste|sollten|konnten|wurden|hatten|wenn|falls|ob|letzte|letzten|letztes|gestern|damals|vielleicht|eventuell|entscheiden wir (?:nachste|morgen|spater|am))\b|\?$/

const weekdays =
  'montags? dienstags? mittwochs? donnerstags? freitags? samstags?|sonnabends? sonntags?'.split(' ')
const months =
  'januar|janner februar marz april mai juni juli august september oktober november dezember'.split(
    ' ',
  )
const DAY = '(?<weekday>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)'
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = '(?:(?:bis|vor|spatestens|ab) )?(?:(?:zum|am|an|dem|den|diesen|diesem) ){0,2}'
/** A day in the past or a repeated day is not a due date. */
const NOT_DUE = '(?<!\\b(?:letzten|letztem|vergangenen|vorigen|seit|jeden|vom|von) )'

const NTH = (
  'ersten zweiten dritten vierten funften sechsten siebten achten neunten zehnten elften zwolften dreizehnten vierzehnten ' +
  'funfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten'
).split(' ')
const numbers: Record<string, number> = {
  einem: 1,
  einer: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  funf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  zehn: 10,
  vierzehn: 14,
  ...Object.fromEntries(NTH.map((word, index) => [word, index + 1])),
}
const DAY_NUMBER = `(?<day>\\d{1,2}\\.|${NTH.join('|')})`

export const GERMAN_DATES: DateLanguage = {
  weekdays,
  months,
  numbers,
  units: [
    { beginning: 'tag', days: 1 },
    { beginning: 'woche', days: 7 },
    { beginning: 'monat', days: null },
  ],
  rules: [
    dateRule('monthDay', `\\b${BEFORE}(?<day>\\d{1,2}\\.) ?(?<monthNumber>\\d{1,2})\\.`),
    dateRule('monthDay', `\\b${BEFORE}${DAY_NUMBER} ${MONTH}\\b`),
    dateRule(
      'endOfWeek',
      /\b(?:bis |vor |am )?(?:zum )?ende (?:der )?(?:nachsten|kommenden) woche\b/g,
      1,
    ),
    dateRule(
      'endOfWeek',
      /\b(?:bis |vor |am )?(?:zum )?(?:ende (?:der|dieser) woche|wochenende)\b/g,
    ),
    dateRule(
      'endOfMonth',
      /\b(?:bis |vor |am )?(?:zum )?ende (?:des )?(?:nachsten|kommenden) monats\b/g,
      1,
    ),
    dateRule(
      'endOfMonth',
      /\b(?:bis |vor |am )?(?:zum )?(?:ende (?:des|dieses) monats|monatsende)\b/g,
    ),
    dateRule('endOfYear', /\b(?:bis |vor |am )?(?:zum )?(?:ende des jahres|jahresende)\b/g),
    dateRule('days', /\b(?:bis )?ubermorgen\b/g, 2),
    dateRule(
      'days',
      /(?<!\bguten )\b(?:bis |gleich )?morgen(?: (?:fruh|mittag|nachmittag|abend|vormittag))?\b(?! zusammen)/g,
      1,
    ),
    dateRule(
      'days',
      /\b(?:bis |noch )?heute(?: (?:noch|fruh|mittag|nachmittag|abend|vormittag))?\b|\b(?:gleich |direkt )?nach (?:dem|diesem) (?:meeting|termin|gesprach|anruf)\b/g,
      0,
    ),
    dateRule('nextWeekday', `\\b${BEFORE}nachste[nrms]? ${DAY}\\b`),
    dateRule('nextWeekday', `\\b${BEFORE}${DAY} nachster? woche\\b`),
    dateRule('weekday', `\\b${BEFORE}${NOT_DUE}${DAY}\\b`),
    dateRule('endOfWeek', /(?<!\b(?:bis|letzte) )\b(?:nachste|kommende) woche\b/g, 1),
    dateRule('endOfWeek', /\b(?:noch )?diese woche\b/g),
    dateRule('endOfMonth', /\b(?:nachsten|kommenden) monat\b/g, 1),
    dateRule('endOfMonth', /\b(?:noch )?diesen monat\b/g),
    dateRule(
      'inUnits',
      /\bin (?<count>\d{1,3}|einem|einer|zwei|drei|vier|funf|sechs|sieben|acht|zehn|vierzehn) (?<unit>tag(?:en)?|wochen?|monat(?:en)?)\b/g,
    ),
    dateRule('dayOfMonth', `\\b(?:bis|vor|spatestens|am) (?:zum |am |dem )?${DAY_NUMBER}`),
  ],
}

export const GERMAN: LanguageRules = {
  actionForms: GERMAN_ACTION_FORMS,
  isRuledOut: isGermanTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:sind|alle|wir|ist|das|seid|ihr|damit|fur|in|so|also|dann|und|okay|ok) ?){0,6}(?:einverstanden|okay|ok|abgemacht|in ordnung|recht|einig)\?$/,
  volunteering:
    /^(?:(?:ja|ok|okay|gut|klar|dann|na gut)[ ,.!]*){0,3}(?:(?:das|die|den) )?(?:mache?|ubernehme?|erledige?|kann) ich(?: (?:gerne?|dann|schon|machen|ubernehmen|erledigen)){0,2}[.!]?$|^(?:(?:ja|ok|okay|gut|klar|dann|na gut)[ ,.!]*){0,3}(?:ich (?:mache?|ubernehme?|erledige?)(?: dann)? (?:das|es|die|den)|(?:ich kummere? mich|da kummere? ich mich)(?: dann)? ?(?:drum|darum)?)(?: (?:gerne?|dann)){0,2}[.!]?$/,
  acceptance:
    /^(?:(?:ja|ok|okay|gut|klar|gern|gerne|prima|alles klar|na gut|sicher|naturlich|einverstanden|aber gut)[ ,.!]*){1,3}(?:$|mache ich|mach ich|das mache ich|ich |kann ich)|^(?:mache? ich|das mache? ich|wird gemacht|erledige ich|ubernehme ich|kann ich (?:machen|ubernehmen))\b/,
  refusal:
    /\b(?:(?:kann|schaffe) ich (?:leider )?nicht|ich (?:kann|schaffe) (?:das )?(?:leider )?nicht|keine zeit|geht (?:bei mir )?(?:leider )?nicht|ich nicht|leider nein)\b/,
  openPoint:
    /\b(?:offene frage|offen ist (?:noch)?|noch offen|(?:wissen|weiss) (?:wir|ich|niemand|keiner)(?: \w+){0,2} noch nicht|wir wissen (?:\w+ ){0,2}noch nicht|(?:ist|bleibt) (?:noch )?(?:unklar|ungeklart)|(?:das|es|dies|\w*(?:frage|punkt|thema)) bleibt offen|mussen (?:wir )?(?:noch )?(?:klaren|herausfinden)|wir mussen noch (?:klaren|herausfinden)|steht noch nicht fest)\b/,
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
