import type { DateLanguage } from './due-date.ts'

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const months = [
  'janvier',
  'fevrier',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'aout',
  'septembre',
  'octobre',
  'novembre',
  'decembre',
]
const DAY = `(?<weekday>${weekdays.join('|')})`
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = "(?:(?:avant|pour|d'ici|jusqu'a|jusqu'au|au plus tard|a|des) )?(?:le |ce |a |au )?"
/** A day in the past or a repeated day is no due date. */
const NOT_DUE = '(?<!\\b(?:depuis|chaque|tous les|les|de|du) )'

const rule = (source: string) => new RegExp(source, 'g')

export const FRENCH_DATES: DateLanguage = {
  weekdays,
  months,
  numbers: { un: 1, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, six: 6, huit: 8, quinze: 15 },
  units: [
    { beginning: 'jour', days: 1 },
    { beginning: 'semaine', days: 7 },
    { beginning: 'mois', days: null },
  ],
  rules: [
    { pattern: /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g, kind: 'isoDate' },
    { pattern: rule(`\\b${BEFORE}(?<day>\\d{1,2})(?:er)? ${MONTH}\\b`), kind: 'monthDay' },
    {
      pattern: rule(`\\b${BEFORE}(?<day>\\d{1,2})/(?<monthNumber>\\d{1,2})\\b`),
      kind: 'monthDay',
    },
    {
      pattern: /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de (?:la )?semaine prochaine\b/g,
      kind: 'endOfWeek',
      amount: 1,
    },
    {
      pattern:
        /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de (?:la |cette )?semaine\b|\bavant le week-end\b/g,
      kind: 'endOfWeek',
    },
    {
      pattern: /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin du mois prochain\b/g,
      kind: 'endOfMonth',
      amount: 1,
    },
    {
      pattern: /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin (?:du|de ce) mois\b/g,
      kind: 'endOfMonth',
    },
    { pattern: /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de l'annee\b/g, kind: 'endOfYear' },
    { pattern: /\b(?:avant |pour |d'ici )?apres-demain\b/g, kind: 'days', amount: 2 },
    {
      pattern:
        /(?<!\ba )\b(?:avant |pour |d'ici |des )?demain(?: (?:matin|soir|midi|apres-midi))?\b/g,
      kind: 'days',
      amount: 1,
    },
    {
      pattern:
        /\b(?:avant |pour |des )?(?:aujourd'hui|ce (?:soir|matin|midi)|cet apres-midi|dans la journee|apres la reunion|tout de suite apres)\b/g,
      kind: 'days',
      amount: 0,
    },
    {
      pattern: rule(`\\b${BEFORE}${DAY} (?:prochain|de la semaine prochaine)\\b`),
      kind: 'nextWeekday',
    },
    {
      pattern: rule(
        `\\b${BEFORE}${NOT_DUE}${DAY}(?: (?:matin|soir|midi|apres-midi))?\\b(?! (?:dernier|passe))`,
      ),
      kind: 'weekday',
    },
    { pattern: /\b(?:d'ici )?la semaine prochaine\b/g, kind: 'endOfWeek', amount: 1 },
    { pattern: /\b(?:dans )?cette semaine\b/g, kind: 'endOfWeek' },
    { pattern: /\ble mois prochain\b/g, kind: 'endOfMonth', amount: 1 },
    { pattern: /\bce mois-ci\b/g, kind: 'endOfMonth' },
    {
      pattern:
        /\b(?:dans|d'ici|sous) (?<count>\d{1,3}|une?|deux|trois|quatre|cinq|six|huit|quinze) (?<unit>jours?|semaines?|mois)\b/g,
      kind: 'inUnits',
    },
    {
      pattern:
        /\b(?:avant|pour|d'ici|jusqu'au|au plus tard|le) (?:le |au )?(?<day>\d{1,2})(?:er)?(?![\d%]|,\d| (?:heures?|h|pour|euros?|personnes?|jours?|minutes?))\b/g,
      kind: 'dayOfMonth',
    },
  ],
}
