import { dateRule, type DateLanguage } from '../due-date.ts'
import { FRENCH_ACTION_FORMS, isFrenchTaskRuledOut } from './french-actions.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'

const STATED: readonly RegExp[] = [
  /\bc'est (?:donc |bien |maintenant )?(?:decide|valide|acte|entendu|vendu|convenu|approuve|arrete)\b/,
  /\b(?:on a|nous avons) (?:donc |tous |bien |finalement )?(?:decide|convenu|acte|valide|choisi|retenu)\b/,
  /\bon (?:est|s'est|se met) (?:donc |tous )?d'accord (?:pour|sur|que)\b/,
  /\b(?:alors|donc|bon|d'accord|ok|okay|parfait|tres bien),? (?:alors |donc )?on (?:garde|prend|part sur|reste sur|retient|choisit|reporte|abandonne|renonce|valide|sort|fait|annule|arrete|supprime|maintient)\b/,
  /\bon (?:part sur|reste sur|retient|valide|renonce a|abandonne)\b/,
  /\bla decision (?:est|c'est)\b/,
  /\ba partir de maintenant\b/,
  /\bil est (?:decide|convenu)\b/,
]
const NO_DECISION =
  /\b(?:pas (?:encore )?(?:decide|valide)|si|s'il|avait|avions|pourrait|pourrions|faudrait|devrait|peut-etre|l'annee derniere|la derniere fois|hier|la semaine derniere|n'a pas|n'avons pas|pas encore)\b|\?$/

const weekdays = 'lundi mardi mercredi jeudi vendredi samedi dimanche'.split(' ')
const months =
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre'.split(' ')
const DAY = `(?<weekday>${weekdays.join('|')})`
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = "(?:(?:avant|pour|d'ici|jusqu'a|jusqu'au|au plus tard|a|des) )?(?:le |ce |a |au )?"
/** A day in the past or a repeated day is not a due date. */
const NOT_DUE = '(?<!\\b(?:depuis|chaque|tous les|les|de|du) )'

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
    dateRule('monthDay', `\\b${BEFORE}(?<day>\\d{1,2})(?:er)? ${MONTH}\\b`),
    dateRule('monthDay', `\\b${BEFORE}(?<day>\\d{1,2})/(?<monthNumber>\\d{1,2})\\b`),
    dateRule(
      'endOfWeek',
      /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de (?:la )?semaine prochaine\b/g,
      1,
    ),
    dateRule(
      'endOfWeek',
      /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de (?:la |cette )?semaine\b|\bavant le week-end\b/g,
    ),
    dateRule('endOfMonth', /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin du mois prochain\b/g, 1),
    dateRule('endOfMonth', /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin (?:du|de ce) mois\b/g),
    dateRule('endOfYear', /\b(?:avant |pour |d'ici )?(?:a )?(?:la )?fin de l'annee\b/g),
    dateRule('days', /\b(?:avant |pour |d'ici )?apres-demain\b/g, 2),
    dateRule(
      'days',
      /(?<!\ba )\b(?:avant |pour |d'ici |des )?demain(?: (?:matin|soir|midi|apres-midi))?\b/g,
      1,
    ),
    dateRule(
      'days',
      /\b(?:avant |pour |des )?(?:aujourd'hui|ce (?:soir|matin|midi)|cet apres-midi|dans la journee|apres la reunion|tout de suite apres)\b/g,
      0,
    ),
    dateRule('nextWeekday', `\\b${BEFORE}${DAY} (?:prochain|de la semaine prochaine)\\b`),
    dateRule(
      'weekday',
      `\\b${BEFORE}${NOT_DUE}${DAY}(?: (?:matin|soir|midi|apres-midi))?\\b(?! (?:dernier|passe))`,
    ),
    dateRule('endOfWeek', /\b(?:d'ici )?la semaine prochaine\b/g, 1),
    dateRule('endOfWeek', /\b(?:dans )?cette semaine\b/g),
    dateRule('endOfMonth', /\ble mois prochain\b/g, 1),
    dateRule('endOfMonth', /\bce mois-ci\b/g),
    dateRule(
      'inUnits',
      /\b(?:dans|d'ici|sous) (?<count>\d{1,3}|une?|deux|trois|quatre|cinq|six|huit|quinze) (?<unit>jours?|semaines?|mois)\b/g,
    ),
    dateRule(
      'dayOfMonth',
      /\b(?:avant|pour|d'ici|jusqu'au|au plus tard|le) (?:le |au )?(?<day>\d{1,2})(?:er)?(?![\d%]|,\d| (?:heures?|h|pour|euros?|personnes?|jours?|minutes?))\b/g,
    ),
  ],
}

export const FRENCH: LanguageRules = {
  actionForms: FRENCH_ACTION_FORMS,
  isRuledOut: isFrenchTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:on|est|tous|tout|le|monde|vous|etes|c'est|ca|va|pour|alors|donc|bien) ?){0,7}(?:d'accord|ok|okay|ca marche|bon|tout le monde|valide) ?\?$/,
  volunteering:
    /^(?:(?:oui|ok|okay|d'accord|bon|alors|moi)[ ,.!]*){0,3}(?:(?:moi )?je m'en (?:charge|occupe|chargerai|occuperai)|je (?:vais )?le (?:fais|faire|ferai)|je peux (?:le |m'en )?(?:faire|charger|occuper)|je prends(?: ca)?)(?: moi)?[.! ]*$/,
  acceptance:
    /^(?:(?:oui|ok|okay|d'accord|bien sur|entendu|parfait|avec plaisir|pas de probleme|ca marche|volontiers|bon)[ ,.!]*){1,3}(?:$|je )|^(?:je m'en (?:charge|occupe)|ca marche|c'est note|je le fais|je peux|entendu|compte sur moi)\b/,
  refusal:
    /\b(?:je (?:ne )?peux pas|je n'ai pas le temps|pas moi|impossible|desolee?,? (?:mais )?je)\b/,
  openPoint:
    /\b(?:question ouverte|(?:on|nous|je) (?:ne |n')?(?:sait|savons|sais|a|avons) (?:pas encore|toujours pas)|reste a (?:savoir|definir|decider|clarifier|voir)|(?:ce n'est|c'est) (?:pas (?:encore )?clair|encore flou)|il faut encore (?:savoir|clarifier|decider|trouver)|a definir|en suspens)\b/,
  nonAnswer:
    /^(?:(?:euh|hum|ah|oh|ben|bah|bon|oui|alors|franchement)[ ,.!]*){0,3}(?:(?:tres )?bonne question|aucune idee|(?:je|on) (?:ne )?(?:sais|sait) pas|je n'en sais rien|pas moi|il faut(?: que je)? (?:verifie|demande|voir)|je (?:dois|vais) (?:verifier|demander|regarder)|on verra|ca depend|difficile a dire|on en reparle|peut-etre[.!]?$)(?!\w)/,
  topicChange:
    /^(?:(?:ok|okay|bon|bien|super|merci|d'accord|alors|parfait|tres bien|genial)[ ,.!]*){0,3}(?:ensuite|dernier point|prochain (?:point|sujet)|point suivant|autre (?:chose|sujet|point)|passons|on passe|maintenant,?|encore une chose|au fait|premier point)\b/,
  socialQuestion:
    /\b(?:vous m'entendez|tu m'entends|on m'entend|vous voyez|tu vois mon|^ca va|comment (?:vas|allez)|autre chose|des (?:questions|objections|remarques)|tu es la|vous etes la|on commence|tout le monde est la|je peux (?:couper|commencer))(?!\w)/,
  smallTalk:
    /\b(?:bonjour|bonsoir|salut|merci|au revoir|bon week-end|bonne (?:journee|soiree)|a (?:bientot|demain|lundi|plus)|vous m'entendez|micro|camera|mon ecran|me revoila|bienvenue|desolee? du retard)\b/,
  dates: FRENCH_DATES,
}
