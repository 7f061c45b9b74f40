import type { DateLanguage } from './due-date.ts'

const weekdays = ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo']
const months = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre|setiembre',
  'octubre',
  'noviembre',
  'diciembre',
]
const DAY = `(?<weekday>${weekdays.join('|')})`
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = '(?:(?:antes|para|hasta|a mas tardar|este) )?(?:del? )?(?:el |este )?'
/** A day in the past or a repeated day is no due date. */
const NOT_DUE = '(?<!\\b(?:desde el|cada|todos los|los|del pasado|el pasado) )'

const rule = (source: string) => new RegExp(source, 'g')

export const SPANISH_DATES: DateLanguage = {
  weekdays,
  months,
  numbers: { un: 1, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, ocho: 8, quince: 15 },
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
      pattern: rule(`\\b${BEFORE}(?<day>\\d{1,2})/(?<monthNumber>\\d{1,2})\\b`),
      kind: 'monthDay',
    },
    {
      pattern:
        /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de la (?:proxima semana|semana que viene)\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    {
      pattern:
        /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de (?:la |esta )?semana\b/g,
      kind: 'endOfWeek',
    },
    {
      pattern:
        /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) del? (?:proximo mes|mes que viene)\b/g,
      kind: 'endOfMonth',
      amount: 1,
    },
    {
      pattern:
        /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de(?:l| este)? mes\b/g,
      kind: 'endOfMonth',
    },
    {
      pattern: /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de(?:l)? ano\b/g,
      kind: 'endOfYear',
    },
    { pattern: /\bpasado manana\b/g, kind: 'days', amount: 2 },
    {
      pattern:
        /(?<!\b(?:la|esta|de la|por la) )\b(?:para |antes de |hasta )?manana(?: (?:mismo|por la (?:manana|tarde|noche)|a primera hora))?\b/g,
      kind: 'days',
      amount: 1,
    },
    {
      pattern:
        /\b(?:para |antes de )?(?:hoy(?: mismo)?|esta (?:manana|tarde|noche)|despues de (?:la|esta) (?:reunion|llamada))\b/g,
      kind: 'days',
      amount: 0,
    },
    { pattern: rule(`\\b${BEFORE}proximo ${DAY}\\b`), kind: 'nextWeekday' },
    {
      pattern: rule(`\\b${BEFORE}${DAY} (?:que viene|de la semana que viene|proximo)\\b`),
      kind: 'nextWeekday',
    },
    {
      pattern: rule(`\\b${BEFORE}${NOT_DUE}${DAY}\\b(?! (?:pasado|ultimo))`),
      kind: 'weekday',
    },
    { pattern: /\b(?:la semana que viene|la proxima semana)\b/g, kind: 'endOfWeek', amount: 1 },
    { pattern: /\b(?:en )?esta semana\b/g, kind: 'endOfWeek' },
    { pattern: /\bel (?:mes que viene|proximo mes)\b/g, kind: 'endOfMonth', amount: 1 },
    { pattern: /\beste mes\b/g, kind: 'endOfMonth' },
    {
      pattern:
        /\b(?:en|dentro de) (?<count>\d{1,3}|una?|dos|tres|cuatro|cinco|seis|ocho|quince) (?<unit>dias?|semanas?|mes(?:es)?)\b/g,
      kind: 'inUnits',
    },
    {
      pattern:
        /\b(?:antes del|para el|hasta el|el)(?: dia)? (?<day>\d{1,2})(?![\d%]|,\d| (?:por|horas?|euros?|personas?))\b/g,
      kind: 'dayOfMonth',
    },
  ],
}
