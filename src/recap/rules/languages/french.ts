import { FRENCH_DATES } from '../dates/french-dates.ts'
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

export const FRENCH: LanguageRules = {
  actionForms: FRENCH_ACTION_FORMS,
  isRuledOut: isFrenchTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:on|est|tous|tout|le|monde|vous|etes|c'est|ca|va|pour|alors|donc|bien) ?){0,7}(?:d'accord|ok|okay|ca marche|bon|tout le monde|valide) ?\?$/,
  volunteering:
    /^(?:(?:oui|ok|okay|d'accord|bon|alors|moi)[ ,.!]*){0,3}(?:je m'en (?:charge|occupe|chargerai|occuperai)|je (?:vais )?le (?:fais|faire|ferai)|je peux (?:le |m'en )?(?:faire|charger|occuper))[.! ]*$/,
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
