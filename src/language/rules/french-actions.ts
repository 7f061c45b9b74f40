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
  byNobody,
  QUESTION,
  createRuledOutTest,
} from './verb-forms.ts'

const VERBS = buildVerbForms(
  `corriger verifier preparer commander reserver contacter demander tester organiser planifier publier partager
  signer terminer finaliser reparer installer configurer creer modifier changer ajouter supprimer regler confirmer
  informer presenter rediger traduire imprimer deposer livrer acheter chercher trouver proposer relancer inviter analyser
  comparer mesurer documenter valider poster deployer deplacer annuler reporter telephoner parler discuter rencontrer
  montrer donner distribuer collecter rassembler remplir resumer`,
  [
    'envoyer envoie envoie enverrai enverra envoie|envoyez',
    'renvoyer renvoie renvoie renverrai renverra renvoie|renvoyez',
    'appeler appelle appelle appellerai appellera appelle|appelez',
    'rappeler rappellerai rappellera rappellerai rappellera rappelle|rappelez',
    'payer paie|paye paie|paye paierai|payerai paiera|payera paie|payez',
    'essayer essaierai essaiera essaierai essaiera -',
    'faire fais fait ferai fera fais|faites',
    'refaire refais refait referai refera refais|refaites',
    'ecrire ecris ecrit ecrirai ecrira ecris|ecrivez',
    'mettre mets met mettrai mettra mets|mettez',
    'prendre prends prend prendrai prendra prends|prenez',
    'transmettre transmets transmet transmettrai transmettra transmets|transmettez',
    'finir finis finit finirai finira finis|finissez',
    'fournir fournis fournit fournirai fournira fournis|fournissez',
    'revoir revois revoit reverrai reverra revois|revoyez',
    'relire relis relit relirai relira relis|relisez',
    'repondre reponds repond repondrai repondra reponds|repondez',
    'tenir tiens tient tiendrai tiendra tiens|tenez',
    'prevenir previens previent previendrai previendra previens|prevenez',
    'occuper occupe occupe occuperai occupera occupe',
    'charger charge charge chargerai chargera charge',
    'apporter apporte apporte apporterai apportera apporte|apportez',
    'suivre suis|suivrai suit suivrai suivra suis|suivez',
  ],
  (infinitive) => {
    const stem = infinitive.replace(/er$|re$/, '')
    const future = infinitive.replace(/e$/, '')
    return {
      infinitive,
      first: `${stem}e`,
      third: `${stem}e`,
      futureFirst: `${future}ai`,
      futureThird: `${future}a`,
      imperative: `${stem}e|${stem}ez`,
    }
  },
)

const PRONOUNS =
  "(?:(?:me |te |le |la |les |lui |leur |vous |nous |y |en |l'|m'|t'|s'|m'en |s'en )){0,2}"
const ADVERBS = '(?:aussi |donc |alors |vite |ensuite |tout de suite ){0,2}'

/** Promises with verbs that are not in the list. */
const OTHER_VERBS = createFutureForms({
  speaker: `je vais ${ADVERBS}`,
  named: `va ${ADVERBS}`,
  article:
    "le |la |les |l'|un |une |des |nos |vos |leurs |toutes? les |tous les |deux |trois |\\d+ ",
  infinitive: '[a-z]{2,20}(?:er|ir|re)',
  noTask: [
    'etre|avoir|dire|voir|revoir|savoir|partager|montrer|presenter|expliquer|parler|raconter|commencer|finir|terminer|prendre|laisser',
    'donner|repondre|poser|passer|ouvrir|decrire|mentionner|essayer|attendre|arreter|couper|mettre|faire|aller|venir|quitter|rejoindre',
    'utiliser|soutenir|accepter|perdre|gagner|rater|manquer|adorer|aimer|detester|entendre|ecouter|regarder|comprendre|rester|devenir',
    'croire|penser|rappeler|introduire|animer|conclure|resumer|aborder|boire|manger|avouer|admettre',
  ].join('|'),
  callObject: 'reunion|appel|micro|camera|ecran|chat|question|point|slides?|parole|train|bus',
})

export const FRENCH_ACTION_FORMS: readonly ActionForm[] = [
  byNamed(/\b(?:action|a faire|tache)(?: pour (?<who>@+))? ?: /dg),
  ...OTHER_VERBS,
  bySpeaker(`\\b(?:je|j')(?: |)${PRONOUNS}vais ${ADVERBS}${PRONOUNS}(?:${VERBS.infinitive})\\b`),
  bySpeaker(`\\b(?:je |j')${PRONOUNS}(?:${VERBS.futureFirst})\\b`),
  bySpeaker(
    /\bje (?:m'en (?:occupe|charge)|m'occupe|me charge|m'occuperai|me chargerai|prends en charge)\b/g,
  ),
  bySpeaker(`\\bje (?:te |t'|vous |leur |lui )${PRONOUNS}(?:${VERBS.first})\\b`),
  bySpeaker(`\\b(?:je |j')${PRONOUNS}(?:${VERBS.first})\\b`, IF_DUE),
  bySpeaker(`\\bje (?:dois|veux|compte|peux) ${PRONOUNS}(?:${VERBS.infinitive})\\b`, IF_DUE),
  byNamed(`${WHO},? (?:va|doit|devra|devrait) ${ADVERBS}${PRONOUNS}(?:${VERBS.infinitive})\\b`),
  byNamed(`${WHO},? ${PRONOUNS}(?:${VERBS.futureThird})\\b`),
  byNamed(
    `${WHO} (?:s'en occupe|s'occupe|se charge|s'en charge|s'occupera|se chargera|est responsable|est charge)\\b`,
  ),
  byNamed(`${WHO} ${PRONOUNS}(?:${VERBS.third})\\b`, IF_DUE),
  byNamed(`\\bc'est a ${WHO} de ${PRONOUNS}(?:${VERBS.infinitive})\\b`),
  byNamed(`\\bil (?:faut|faudra) (?:aussi |donc )?que ${WHO} `),
  byNamed(`\\bil (?:me|nous) faut (?:[^\\s,;]{1,30} ){1,8}?de ${WHO}`),
  byNamed(
    `@+ et ${WHO} (?:vont ${PRONOUNS}(?:${VERBS.infinitive})|(?:${VERBS.third})nt)\\b`,
    IF_DUE,
  ),
  byAddressed(
    `\\b(?:n'oublie[sz]? pas|merci|pense[sz]?)(?: bien)? (?:de |d'|a )${PRONOUNS}(?:${VERBS.infinitive})\\b`,
  ),
  byNobody(/\bil (?:faut|faudra) (?:aussi |donc |encore )?que quelqu'un /g),
  byAddressed(
    `\\b(?:(?:peux|pourrais|pourras)-tu|tu (?:peux|pourrais|pourras)|(?:pouvez|pourriez)-vous|vous (?:pouvez|pourriez|pourrez)|quelqu'un (?:peut|pourrait)|@,? (?:peut|pourrait)-(?:il|elle)) ${FEW_WORDS}${PRONOUNS}(?:${VERBS.infinitive})\\b`,
    QUESTION,
  ),
  byAddressed(`@, (?:tu dois|il faut que tu|tu (?:${VERBS.futureThird})s) ?`),
  byAddressed(`@, (?:s'il te plait,? )?(?:${VERBS.imperative})\\b`),
  byNobody(
    `\\b(?:il faut|il faudra|on va|on doit|nous allons|nous devons) ${ADVERBS}${PRONOUNS}(?:${VERBS.infinitive})\\b`,
    IF_DUE,
  ),
]

export const isFrenchTaskRuledOut = createRuledOutTest({
  doubt:
    /\b(?:ne|pas|jamais|personne|peut-etre|si|s'il|dit que|disait|pensais|croyais|pourquoi|avais|aurais|est-ce que je|quand est-ce)\b/,
  condition: /(?:^|[,;] ?)(?:si|s'il)\b/,
  notAfter:
    /\b(?:pas|jamais|rien|personne|plus|si|s'il|toujours|chaque|d'habitude|souvent|peut-etre|deja|maintenant)\b/,
  polite: /s'il (?:te|vous) plait|n'oublie[sz]? pas/,
  smallTalk:
    /^(?:je (?:vous |te )?(?:partage|montre|rappelle|demande|parle|presente)|je (?:me )?demande|je vais (?:vous |te )?(?:partager (?:mon |l')ecran|prendre un (?:cafe|verre)|repondre a la question|montrer|parler|dire|faire vite|presenter)|je (?:fais|prends|mets|suis|finis|tiens) (?:un|une|le|la|mon|ma|court|vite|a|en|de|d'accord|la parole)|@+, (?:tiens|suis|parle|montre|demande|donne)\b|tu (?:peux|pourrais) (?:me )?(?:montrer|parler|repeter))/,
})
