import type { DateLanguage } from './due-date.ts'

const weekdays = [
  'mondays?',
  'tuesdays?',
  'wednesdays?',
  'thursdays?',
  'fridays?',
  'saturdays?',
  'sundays?',
]
const months = [
  'january|jan',
  'february|feb',
  'march',
  'april|apr',
  'may',
  'june|jun',
  'july|jul',
  'august|aug',
  'september|sept?',
  'october|oct',
  'november|nov',
  'december|dec',
]
const numbers: Record<string, number> = Object.fromEntries([
  ...'a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 fourteen=14'
    .split(' ')
    .map((pair) => pair.split('='))
    .map(([word = '', value]) => [word, Number(value)]),
  ['a couple of', 2],
  ...(
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
    'sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth ' +
    'twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'
  )
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
])

const DAY = '(?<weekday>mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)'
const MONTH = `(?<month>${months.join('|')})`
const NTH = Object.keys(numbers)
  .filter((word) => /(?:st|nd|rd|th)$/.test(word))
  .toReversed()
  .join('|')
const BEFORE = '(?:(?:by|until|till|before|on|for|no later than) )?(?:the )?'
const DEADLINE = '(?:by|until|till|before|on|no later than|due)'
/** A day in the past or a repeated day is no due date. */
const NOT_DUE = '(?<!\\b(?:from|last|since|every|each|of|than|past|previous|this past) )'

const rule = (source: string) => new RegExp(source, 'g')

export const ENGLISH_DATES: DateLanguage = {
  weekdays,
  months,
  numbers,
  units: [
    { beginning: 'day', days: 1 },
    { beginning: 'week', days: 7 },
    { beginning: 'fortnight', days: 14 },
    { beginning: 'month', days: null },
  ],
  rules: [
    { pattern: /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g, kind: 'isoDate' },
    {
      pattern:
        /\b(?:by |before |until |at )?(?:the )?(?:end|close) of (?:the )?(?:day|today|business)\b|\b(?:by )?(?:eod|cob)\b/g,
      kind: 'days',
      amount: 0,
    },
    {
      pattern: /\b(?:by |before |until |at )?(?:the )?end of next week\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    {
      pattern:
        /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?week\b|\b(?:by )?eow\b|\bbefore the weekend\b/g,
      kind: 'endOfWeek',
    },
    {
      pattern: /\b(?:by |before |until |at )?(?:the )?end of next month\b/g,
      kind: 'endOfMonth',
      amount: 1,
    },
    {
      pattern: /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?month\b/g,
      kind: 'endOfMonth',
    },
    {
      pattern: /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?year\b/g,
      kind: 'endOfYear',
    },
    { pattern: /\b(?:by |until |before )?the day after tomorrow\b/g, kind: 'days', amount: 2 },
    {
      pattern: /\b(?:by |until |before )?tomorrow(?: (?:morning|afternoon|evening|night|noon))?\b/g,
      kind: 'days',
      amount: 1,
    },
    {
      pattern:
        /\b(?:by |until |before )?(?:later )?(?:today|tonight|this (?:morning|afternoon|evening)|(?:right )?after (?:this|the) (?:meeting|call))\b|\bright now\b|\bby noon\b/g,
      kind: 'days',
      amount: 0,
    },
    { pattern: rule(`\\b${BEFORE}${nthOf(NTH)}${MONTH}\\b`), kind: 'monthDay' },
    {
      pattern: rule(
        `\\b${BEFORE}${MONTH} (?:the )?(?<day>\\d{1,2}(?:st|nd|rd|th)?|${NTH})\\b(?!:)`,
      ),
      kind: 'monthDay',
    },
    { pattern: rule(`\\b${BEFORE}${NOT_DUE}next ${DAY}\\b`), kind: 'nextWeekday' },
    { pattern: rule(`\\b${BEFORE}${NOT_DUE}${DAY} next week\\b`), kind: 'nextWeekday' },
    { pattern: rule(`\\b${BEFORE}${NOT_DUE}this (?:coming )?${DAY}\\b`), kind: 'thisWeekday' },
    { pattern: rule(`\\b${BEFORE}${NOT_DUE}${DAY}\\b`), kind: 'weekday' },
    { pattern: /\b(?:by |before )?next week\b/g, kind: 'endOfWeek', amount: 1 },
    { pattern: /\b(?:by |before |later )?this week\b/g, kind: 'endOfWeek' },
    { pattern: /\b(?:by |before )?next month\b/g, kind: 'endOfMonth', amount: 1 },
    { pattern: /\b(?:by |before |later )?this month\b/g, kind: 'endOfMonth' },
    {
      pattern:
        /\b(?:in|within) (?:the next )?(?<count>\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|fourteen) (?<unit>days?|weeks?|fortnights?|months?)\b/g,
      kind: 'inUnits',
    },
    {
      pattern: rule(`\\b${DEADLINE} the (?<day>\\d{1,2}(?:st|nd|rd|th)|${NTH})\\b`),
      kind: 'dayOfMonth',
    },
  ],
}

/** "3rd of May", "third of May", "3 May". */
function nthOf(nth: string): string {
  return `(?<day>\\d{1,2}(?:st|nd|rd|th)?|${nth}) (?:of )?`
}
