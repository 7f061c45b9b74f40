import type { DateLanguage } from './due-date.ts'

const weekdays = [
  'segunda(?:-feira)?',
  'terca(?:-feira)?',
  'quarta(?:-feira)?',
  'quinta(?:-feira)?',
  'sexta(?:-feira)?',
  'sabado',
  'domingo',
]
const months = [
  'janeiro',
  'fevereiro',
  'marco',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
]
const DAY = `(?<weekday>${weekdays.join('|')})`
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date; a weekday needs one, because "segunda" also means "second". */
const BEFORE = '(?:(?:ate|antes|para|na|no|nesta|neste) )?(?:d?[ao] )?'
const WEEKDAY_BEFORE = '(?:ate(?: a| o)?|antes d[ao]|para(?: a| o)?|n[ao]|nest[ae]|ness[ae]|pra)'

const rule = (source: string) => new RegExp(source, 'g')

export const PORTUGUESE_DATES: DateLanguage = {
  weekdays,
  months,
  numbers: { um: 1, uma: 1, dois: 2, duas: 2, tres: 3, quatro: 4, cinco: 5, seis: 6, quinze: 15 },
  units: [
    { beginning: 'dia', days: 1 },
    { beginning: 'semana', days: 7 },
    { beginning: 'mes', days: null },
  ],
  rules: [
    { pattern: /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g, kind: 'isoDate' },
    {
      pattern: rule(`\\b${BEFORE}(?:dia )?(?<day>\\d{1,2}) de ${MONTH}\\b`),
      kind: 'monthDay',
    },
    {
      pattern: rule(`\\b${BEFORE}(?:dia )?(?<day>\\d{1,2})/(?<monthNumber>\\d{1,2})\\b`),
      kind: 'monthDay',
    },
    {
      pattern:
        /\b(?:ate |antes |para )?(?:d?o )?(?:fim|final) da (?:proxima semana|semana que vem)\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    {
      pattern: /\b(?:ate |antes |para )?(?:d?o )?(?:fim|final) d(?:a|esta) semana\b/g,
      kind: 'endOfWeek',
    },
    {
      pattern: /\b(?:ate |antes |para )?(?:d?o )?(?:fim|final) do (?:proximo mes|mes que vem)\b/g,
      kind: 'endOfMonth',
      amount: 1,
    },
    {
      pattern: /\b(?:ate |antes |para )?(?:d?o )?(?:fim|final) d(?:o|este) mes\b/g,
      kind: 'endOfMonth',
    },
    { pattern: /\b(?:ate |antes |para )?(?:d?o )?(?:fim|final) do ano\b/g, kind: 'endOfYear' },
    { pattern: /\bdepois de amanha\b/g, kind: 'days', amount: 2 },
    {
      pattern: /\b(?:ate |para |antes de )?amanha(?: (?:de manha|a tarde|a noite|cedo))?\b/g,
      kind: 'days',
      amount: 1,
    },
    {
      pattern:
        /\b(?:ate |ainda )?(?:hoje(?: a (?:tarde|noite))?|esta (?:tarde|noite)|depois da (?:reuniao|chamada))\b/g,
      kind: 'days',
      amount: 0,
    },
    {
      pattern: rule(`\\b(?:(?:ate|antes d?|para|n|d)[ao]? |ate )?(?:a |o )?proxim[ao] ${DAY}\\b`),
      kind: 'nextWeekday',
    },
    {
      pattern: rule(`\\b${WEEKDAY_BEFORE} ${DAY} (?:que vem|da semana que vem)\\b`),
      kind: 'nextWeekday',
    },
    {
      pattern: rule(`\\b${WEEKDAY_BEFORE} ${DAY}(?! (?:passad[ao]|vez|parte|etapa|fase))\\b`),
      kind: 'weekday',
    },
    { pattern: /\bn?a (?:semana que vem|proxima semana)\b/g, kind: 'endOfWeek', amount: 1 },
    { pattern: /\b(?:n?esta|essa) semana\b/g, kind: 'endOfWeek' },
    { pattern: /\bn?o (?:mes que vem|proximo mes)\b/g, kind: 'endOfMonth', amount: 1 },
    { pattern: /\bn?este mes\b/g, kind: 'endOfMonth' },
    {
      pattern:
        /\b(?:em|daqui a|dentro de) (?<count>\d{1,3}|uma?|dois|duas|tres|quatro|cinco|seis|quinze) (?<unit>dias?|semanas?|mes(?:es)?)\b/g,
      kind: 'inUnits',
    },
    {
      pattern: /\b(?:ate|antes|para|no)(?: d?o)?(?: dia) (?<day>\d{1,2})(?!\d)\b/g,
      kind: 'dayOfMonth',
    },
  ],
}
