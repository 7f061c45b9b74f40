import { ENGLISH_DATES } from '../../language/rules/english.ts'
import { FRENCH_DATES } from '../../language/rules/french.ts'
import { GERMAN_DATES } from '../../language/rules/german.ts'
import { PORTUGUESE_DATES } from '../../language/rules/portuguese.ts'
import { SPANISH_DATES } from '../../language/rules/spanish.ts'
import type { PeriodLanguage } from './find-period.ts'

/**
 * How a language asks for what a recap lists. Patterns match folded text on one line. Group `gap` are words in between,
 * such as "Ada" in "should Ada do".
 */
export type QuestionLanguage = {
  tag: string
  /** Open questions. Found first, because "not decided yet" has a word of decisions. */
  questions: RegExp
  decisions: RegExp
  actions: RegExp
  /** Matches a question for a reason, which recaps do not answer. */
  why: RegExp
  /** Words for the person who asks. */
  caller: RegExp
  /** Words that say nothing about the subject, besides stop words. */
  fillers: ReadonlySet<string>
  /** Names the due date of an action: `due 2026-11-20`. */
  due: string
  period: PeriodLanguage
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const ENGLISH_QUESTIONS: QuestionLanguage = {
  tag: 'en',
  questions:
    /\b(?:open (?:questions?|points?|issues?|items?)|questions?\b(?<gap>.{0,40})\b(?:open|unanswered|unresolved|unclear)|(?:unanswered|unresolved|outstanding) (?:questions?|points?|issues?)|(?:is|are|was|were|left|remains?|still)(?: still| left)? (?:open|unanswered|unresolved|unclear|undecided|unknown)|not (?:been )?(?:decided|answered|clear|resolved|settled)(?: yet)?)\b/d,
  decisions:
    /\b(?:decid(?:e|es|ed|ing)|decisions?|agreed|agreements?|concluded|conclusions?|resolutions?)\b/d,
  actions:
    /\b(?:action (?:items?|points?)|to-?dos?|tasks?|next steps?|(?:has|have|had|need|needs|supposed|got|going|left|still|is|are|am) to do|(?:has|have|needs?|left) to be done|(?:should|must|will|shall)\b(?<gap>.{1,60})\b(?:do|done)|who(?:'s| will| is going to| has to| needs to| should| must| takes| is taking| is responsible| does| is doing| owns)\b|(?:is|are|what's) (?:due|overdue)|assigned to|responsible for|(?:did|has|have)\b(?<gap>.{1,60})\b(?:promised?|committed?|volunteered?))(?!\w)/d,
  why: /^(?:and |but |so )?(?:why|how come|for what reason)\b/,
  caller: /\b(?:i|i'm|my|mine)\b/,
  fillers: wordsOf(
    'meeting meetings call calls project projects team group people everyone anybody list show made make taken take reached remain remaining pending latest recent assigned responsible done due deadline were did have has been does will what which who whom whose when where',
  ),
  due: 'due',
  period: {
    dates: ENGLISH_DATES,
    unit: '(?<unit>day|week|month)s?',
    phrases: {
      dayBeforeYesterday: /\b(?:the )?day before yesterday\b/,
      yesterday: /\byesterday\b/,
      today: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/,
      dayAfterTomorrow: /\b(?:the )?day after tomorrow\b/,
      tomorrow: /\btomorrow\b/,
      lastWeek: /\b(?:last|past|previous) week\b/,
      thisWeek: /\bthis week\b/,
      nextWeek: /\bnext week\b/,
      lastMonth: /\b(?:last|past|previous) month\b/,
      thisMonth: /\bthis month\b/,
      nextMonth: /\bnext month\b/,
      lastYear: /\b(?:last|past|previous) year\b/,
      thisYear: /\bthis year\b/,
      lastUnits: '(?:last|past) {count} {unit}',
      nextUnits: '(?:in |within |over )?(?:the )?next {count} {unit}',
      unitsAgo: '{count} {unit} ago',
    },
    beforeMonth: /\b(?:in|since|from|during|until|till|by|before|of|last|next|this) $/,
    since: /\b(?:since|from|after) (?:the |last )?$/,
    until: /\b(?:until|till|by|before|up to) (?:the |next |this )?$/,
  },
}

const GERMAN_QUESTIONS: QuestionLanguage = {
  tag: 'de',
  questions:
    /\b(?:offene[nr]? (?:fragen?|punkte?|themen)|fragen?\b(?<gap>.{0,40})\b(?:offen|ungeklart|unbeantwortet|unklar)|(?:noch|ist|sind|war|waren|bleib\w*)(?: noch| alles)? (?:offen|ungeklart|unklar|unbeantwortet|unentschieden)|nicht (?:entschieden|geklart|beantwortet|beschlossen))\b/d,
  decisions:
    /\b(?:beschl(?:os|us)\w*|entschied\w*|entscheid\w*|vereinbar\w*|festgelegt|geeinigt|abgemacht)\b/d,
  actions:
    /\b(?:aufgaben?|to-?dos?|mass?nahmen?|nachste[nr]? schritte?|zu (?:tun|erledigen)|(?:muss?|muss?t|mussen|soll|sollen|sollst|sollte|wird|werden|wollte?)\b(?<gap>.{0,60})\b(?:machen|tun|erledigen|erledigt|gemacht)|was (?:macht|machen|ubernimmt|ubernehmen)|wer (?:macht|ubernimmt|kummert|schickt|schreibt|redet|spricht|muss?|soll|wird|ist (?:verantwortlich|zustandig))|zustandig|verantwortlich|fallig|versprochen|zugesagt|ubernommen)\b/d,
  why: /^(?:und |aber )?(?:warum|wieso|weshalb|aus welchem grund)\b/,
  caller: /\b(?:ich|meine?[nrs]?)\b/,
  fillers: wordsOf(
    'besprechung besprechungen meeting meetings sitzung sitzungen treffen projekt projekte team gruppe leute liste zeig zeige getroffen gefasst gefallen offen geblieben aktuell aktuellen verantwortlich zustandig hat haben wurde wurden welche welcher welches welchen was wer wem wen wann wo wie',
  ),
  due: 'fällig',
  period: {
    dates: GERMAN_DATES,
    unit: '(?<unit>tag|woche|monat)(?:en|n|e)?',
    phrases: {
      dayBeforeYesterday: /\bvorgestern\b/,
      yesterday: /\bgestern\b/,
      today: /\bheute\b/,
      dayAfterTomorrow: /\bubermorgen\b/,
      tomorrow: /\bmorgen\b/,
      lastWeek: /\b(?:letzte[rn]?|vergangene[rn]?|vorige[rn]?) woche\b/,
      thisWeek: /\bdiese[rn]? woche\b/,
      nextWeek: /\b(?:nachste[rn]?|kommende[rn]?) woche\b/,
      lastMonth: /\b(?:letzte[nr]?|vergangene[nr]?|vorige[nr]?) monat\b/,
      thisMonth: /\bdiese[nmr]? monat\b/,
      nextMonth: /\b(?:nachste[nmr]?|kommende[nmr]?) monat\b/,
      lastYear: /\b(?:letzte[sn]?|vergangene[sn]?) jahr\b/,
      thisYear: /\bdiese[sm]? jahr\b/,
      lastUnits: '(?:letzten|vergangenen) {count} {unit}',
      nextUnits: '(?:in )?(?:den )?(?:nachsten|kommenden) {count} {unit}',
      unitsAgo: 'vor {count} {unit}',
    },
    beforeMonth: /\b(?:im|seit|ab|bis|vom|letzten|nachsten|diesen|ende|anfang|mitte) $/,
    since: /\b(?:seit|ab|nach) (?:dem |der |letztem |letzten )?$/,
    until: /\b(?:bis|vor)(?: spatestens)? (?:zum |zur |dem |nachsten |kommenden )?$/,
  },
}

const FRENCH_QUESTIONS: QuestionLanguage = {
  tag: 'fr',
  questions:
    /\b(?:(?:questions?|points?|sujets?)\b(?<gap>.{0,40})\b(?:ouverte?s?|en suspens|sans reponse|non resolue?s?)|(?:reste\w*|encore|est|sont)\b(?<gap>.{0,20})\b(?:ouverte?s?|en suspens|sans reponse|a (?:clarifier|decider|eclaircir))|(?:pas|jamais) (?:encore )?(?:ete )?(?:decide\w*|clarifie\w*|tranche\w*|repondu\w*))(?!\w)/d,
  decisions: /\b(?:decid\w*|decisions?|convenue?s?|conclu\w*|tranche\w*)\b/d,
  actions:
    /\b(?:taches?|actions?|to-?dos?|a faire|(?:doit|doivent|dois|devons|devez|va|vais|vont|devra|devrait)\b(?<gap>.{0,60})\bfaire|prochaines? etapes?|qui (?:doit|va|devra|s'occupe|fait|prend|se charge|est (?:charge|responsable)\w*)|s'occupe|chargee?s? de|responsables? de|echeances?|s'est engagee?|promis\w*)\b/d,
  why: /^(?:et |mais )?pourquoi\b/,
  caller: /\b(?:je|mon|ma|mes)\b|\bj'/,
  fillers: wordsOf(
    'reunion reunions appel projet projets equipe groupe liste montre ouvert ouverts ouverte ouvertes restent reste prises prise pris recentes actuelles est-ce a-t-on a-t-il a-t-elle quelle quelles quel quels qui que quoi quand',
  ),
  due: 'échéance',
  period: {
    dates: FRENCH_DATES,
    unit: '(?<unit>jour|semaine|mois)s?',
    phrases: {
      dayBeforeYesterday: /\bavant-hier\b/,
      yesterday: /\bhier\b/,
      today: /\b(?:aujourd'hui|ce (?:matin|soir)|cet apres-midi)\b/,
      dayAfterTomorrow: /\bapres-demain\b/,
      tomorrow: /\bdemain\b/,
      lastWeek: /\b(?:la )?semaine (?:derniere|passee)\b/,
      thisWeek: /\bcette semaine\b/,
      nextWeek: /\b(?:la )?semaine prochaine\b/,
      lastMonth: /\b(?:le )?mois (?:dernier|passe)\b/,
      thisMonth: /\bce mois\b/,
      nextMonth: /\b(?:le )?mois prochain\b/,
      lastYear: /\b(?:l')?(?:annee derniere|an dernier)\b/,
      thisYear: /\bcette annee\b/,
      lastUnits: '{count} (?:derniers|dernieres) {unit}',
      nextUnits: '(?:dans )?(?:les )?{count} (?:prochains|prochaines) {unit}',
      unitsAgo: 'il y a {count} {unit}',
    },
    beforeMonth: /\b(?:en|depuis|de|d'|jusqu'en|avant|fin|debut|mi) ?$/,
    since: /\b(?:depuis|apres|a partir de) (?:le |la |l')?$/,
    until: /\b(?:jusqu'a|jusqu'au|avant|d'ici|pour|d'ici a) ?(?:le |la |l'|au )?$/,
  },
}

const SPANISH_QUESTIONS: QuestionLanguage = {
  tag: 'es',
  questions:
    /\b(?:preguntas?\b(?<gap>.{0,40})\b(?:abiertas?|pendientes?|sin (?:responder|respuesta|resolver))|(?:cuestiones|puntos|temas|asuntos)\b(?<gap>.{0,20})\b(?:abiert[oa]s|pendientes)|(?:queda\w*|sigue\w*|falta\w*|esta\w*)\b(?<gap>.{0,20})\b(?:abiert[oa]s?|sin (?:decidir|resolver|aclarar|responder)|por (?:decidir|aclarar|resolver)))\b/d,
  decisions: /\b(?:decid\w*|decision(?:es)?|acord(?:o|aron|amos|ado)|acuerdos?|resolv\w*)\b/d,
  actions:
    /\b(?:tareas?|pendientes?|acciones|proximos pasos|to-?dos?|(?:tiene|tienen|tengo|tenemos|tienes|hay|debe|deben|debo|debemos|va a|van a|voy a|vamos a)\b(?<gap>.{0,60})\bhacer|por hacer|quien(?:es)? (?:va|van|tiene|tienen|debe|se encarga|hace|hara|se ocupa|es responsable)|encargad[oa]s?|se encarga\w*|responsables?|prometi\w*|se comprometi\w*|vencen?)\b/d,
  why: /^[¿ ]*(?:y |pero )?por que\b/,
  caller: /\b(?:yo|mi|mis|tengo|debo|voy)\b/,
  fillers: wordsOf(
    'reunion reuniones llamada proyecto proyectos equipo grupo lista muestra abiertas abiertos quedan queda tomo tomaron tomado recientes actuales cual cuales quien quienes que cuando',
  ),
  due: 'vence',
  period: {
    dates: SPANISH_DATES,
    unit: '(?<unit>dia|semana|mes)(?:es|s)?',
    phrases: {
      dayBeforeYesterday: /\banteayer\b/,
      yesterday: /\bayer\b/,
      today: /\b(?:hoy|esta (?:manana|tarde|noche))\b/,
      dayAfterTomorrow: /\bpasado manana\b/,
      tomorrow: /\bmanana\b/,
      lastWeek: /\b(?:la )?(?:semana pasada|ultima semana)\b/,
      thisWeek: /\besta semana\b/,
      nextWeek: /\b(?:la )?(?:semana que viene|proxima semana|semana proxima)\b/,
      lastMonth: /\b(?:el )?(?:mes pasado|ultimo mes)\b/,
      thisMonth: /\beste mes\b/,
      nextMonth: /\b(?:el )?(?:mes que viene|proximo mes)\b/,
      lastYear: /\b(?:el )?ano pasado\b/,
      thisYear: /\beste ano\b/,
      lastUnits: 'ultim[oa]s {count} {unit}',
      nextUnits: '(?:en )?(?:l[oa]s )?proxim[oa]s {count} {unit}',
      unitsAgo: 'hace {count} {unit}',
    },
    beforeMonth: /\b(?:en|desde|de|hasta|antes de|finales de) $/,
    since: /\b(?:desde|despues del?|a partir del?) (?:el |la )?$/,
    until: /\b(?:hasta|antes del?|para) (?:el |la )?$/,
  },
}

const PORTUGUESE_QUESTIONS: QuestionLanguage = {
  tag: 'pt',
  questions:
    /\b(?:(?:perguntas?|questoes|duvidas?)\b(?<gap>.{0,40})\b(?:abertas?|em aberto|pendentes?|por responder|sem resposta)|(?:pontos|temas|assuntos)\b(?<gap>.{0,20})\b(?:abertos|em aberto|pendentes)|(?:fica\w*|ficou|esta\w*|continua\w*|falta\w*)\b(?<gap>.{0,20})\b(?:em aberto|por (?:decidir|esclarecer|resolver)|sem (?:decisao|resposta)))\b/d,
  decisions:
    /\b(?:decid\w*|decis(?:ao|oes)|acord(?:o|ou|aram|amos|ado|os)|combin(?:ad[oa]s?|amos|aram|ou)|resolv\w*)\b/d,
  actions:
    /\b(?:tarefas?|pendencias?|acoes|proximos passos|to-?dos?|(?:tem|tenho|temos|ha|deve|devem|devo|devemos|vai|vao|vou|vamos|precisa\w*)\b(?<gap>.{0,60})\bfazer|(?:por|a) fazer|quem (?:vai|tem|deve|faz|fara|fica|se encarrega|e responsavel|cuida|trata)|encarregad[oa]s?|responsave(?:l|is)|promete\w*|se comprometeu|prazos?|vencem?)\b/d,
  why: /^(?:e |mas )?(?:por que|porque)\b/,
  caller: /\b(?:eu|meus?|minhas?|tenho|devo|vou)\b/,
  fillers: wordsOf(
    'reuniao reunioes chamada projeto projetos equipa equipe grupo lista mostra abertas abertos aberto ficaram ficou tomadas tomada tomou recentes atuais qual quais quem que quando',
  ),
  due: 'prazo',
  period: {
    dates: PORTUGUESE_DATES,
    unit: '(?<unit>dia|semana|mes)(?:es|s)?',
    phrases: {
      dayBeforeYesterday: /\banteontem\b/,
      yesterday: /\bontem\b/,
      today: /\b(?:hoje|esta (?:manha|tarde|noite))\b/,
      dayAfterTomorrow: /\bdepois de amanha\b/,
      tomorrow: /\bamanha\b/,
      lastWeek: /\b(?:a )?(?:semana passada|ultima semana)\b/,
      thisWeek: /\b(?:n?esta|essa) semana\b/,
      nextWeek: /\b(?:a )?(?:semana que vem|proxima semana)\b/,
      lastMonth: /\b(?:o )?(?:mes passado|ultimo mes)\b/,
      thisMonth: /\b(?:n?este|esse) mes\b/,
      nextMonth: /\b(?:o )?(?:mes que vem|proximo mes)\b/,
      lastYear: /\b(?:o )?ano passado\b/,
      thisYear: /\b(?:n?este|esse) ano\b/,
      lastUnits: 'ultim[oa]s {count} {unit}',
      nextUnits: '(?:n?[oa]s )?proxim[oa]s {count} {unit}',
      unitsAgo: 'ha {count} {unit}',
    },
    beforeMonth: /\b(?:em|desde|de|ate|antes de|fim de) $/,
    // "Segunda" also means "second".
    beforeWeekday: /\b(?:desde|ate|na|no|a|o|proxim[ao]|ultim[ao]|antes d[ao]|para) $/,
    since: /\b(?:desde|depois d[aeo]|a partir d[aeo]) (?:a |o )?$/,
    until: /\b(?:ate|antes d[aeo]|para) (?:a |o )?$/,
  },
}

export const QUESTION_LANGUAGES: readonly QuestionLanguage[] = [
  ENGLISH_QUESTIONS,
  GERMAN_QUESTIONS,
  FRENCH_QUESTIONS,
  SPANISH_QUESTIONS,
  PORTUGUESE_QUESTIONS,
]
