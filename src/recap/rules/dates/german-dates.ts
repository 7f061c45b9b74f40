import type { DateLanguage } from './due-date.ts'

const weekdays = [
  'montags?',
  'dienstags?',
  'mittwochs?',
  'donnerstags?',
  'freitags?',
  'samstags?|sonnabends?',
  'sonntags?',
]
const months = [
  'januar|janner',
  'februar',
  'marz',
  'april',
  'mai',
  'juni',
  'juli',
  'august',
  'september',
  'oktober',
  'november',
  'dezember',
]
const DAY = '(?<weekday>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)'
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = '(?:(?:bis|vor|spatestens|ab) )?(?:(?:zum|am|an|dem|den|diesen|diesem) ){0,2}'
/** A day in the past or a repeated day is no due date. */
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

const rule = (source: string) => new RegExp(source, 'g')

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
    { pattern: /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g, kind: 'isoDate' },
    {
      pattern: rule(`\\b${BEFORE}(?<day>\\d{1,2}\\.) ?(?<monthNumber>\\d{1,2})\\.`),
      kind: 'monthDay',
    },
    { pattern: rule(`\\b${BEFORE}${DAY_NUMBER} ${MONTH}\\b`), kind: 'monthDay' },
    {
      pattern: /\b(?:bis |vor |am )?(?:zum )?ende (?:der )?(?:nachsten|kommenden) woche\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    {
      pattern: /\b(?:bis |vor |am )?(?:zum )?(?:ende (?:der|dieser) woche|wochenende)\b/g,
      kind: 'endOfWeek',
    },
    {
      pattern: /\b(?:bis |vor |am )?(?:zum )?ende (?:des )?(?:nachsten|kommenden) monats\b/g,
      kind: 'endOfMonth',
      amount: 1,
    },
    {
      pattern: /\b(?:bis |vor |am )?(?:zum )?(?:ende (?:des|dieses) monats|monatsende)\b/g,
      kind: 'endOfMonth',
    },
    {
      pattern: /\b(?:bis |vor |am )?(?:zum )?(?:ende des jahres|jahresende)\b/g,
      kind: 'endOfYear',
    },
    { pattern: /\b(?:bis )?ubermorgen\b/g, kind: 'days', amount: 2 },
    {
      pattern:
        /(?<!\bguten )\b(?:bis |gleich )?morgen(?: (?:fruh|mittag|nachmittag|abend|vormittag))?\b(?! zusammen)/g,
      kind: 'days',
      amount: 1,
    },
    {
      pattern:
        /\b(?:bis |noch )?heute(?: (?:noch|fruh|mittag|nachmittag|abend|vormittag))?\b|\b(?:gleich |direkt )?nach (?:dem|diesem) (?:meeting|termin|gesprach|anruf)\b/g,
      kind: 'days',
      amount: 0,
    },
    { pattern: rule(`\\b${BEFORE}nachste[nrms]? ${DAY}\\b`), kind: 'nextWeekday' },
    { pattern: rule(`\\b${BEFORE}${DAY} nachster? woche\\b`), kind: 'nextWeekday' },
    { pattern: rule(`\\b${BEFORE}${NOT_DUE}${DAY}\\b`), kind: 'weekday' },
    {
      pattern: /(?<!\b(?:bis|letzte) )\b(?:nachste|kommende) woche\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    { pattern: /\b(?:noch )?diese woche\b/g, kind: 'endOfWeek' },
    { pattern: /\b(?:nachsten|kommenden) monat\b/g, kind: 'endOfMonth', amount: 1 },
    { pattern: /\b(?:noch )?diesen monat\b/g, kind: 'endOfMonth' },
    {
      pattern:
        /\bin (?<count>\d{1,3}|einem|einer|zwei|drei|vier|funf|sechs|sieben|acht|zehn|vierzehn) (?<unit>tag(?:en)?|wochen?|monat(?:en)?)\b/g,
      kind: 'inUnits',
    },
    {
      pattern: rule(`\\b(?:bis|vor|spatestens|am) (?:zum |am |dem )?${DAY_NUMBER}`),
      kind: 'dayOfMonth',
    },
  ],
}
