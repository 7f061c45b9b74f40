import { SPANISH_DATES } from '../dates/spanish-dates.ts'
import { SPANISH_ACTION_FORMS, isSpanishTaskRuledOut } from './spanish-actions.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'

const STATED: readonly RegExp[] = [
  /\b(?:hemos|se ha) (?:decidido|acordado|quedado en|aprobado|elegido)\b/,
  /\b(?:queda|esta|quedamos|queda ya) (?:decidido|acordado|aprobado|cerrado|en que)\b/,
  /\bquedamos en\b/,
  /\b(?:decidimos|acordamos) (?:que|no|por)\b/,
  /\bnos (?:quedamos|vamos) con\b/,
  /\b(?:entonces|pues|bien|vale|bueno|venga|de acuerdo|perfecto),? (?:entonces |pues )?(?:elegimos|escogemos|cogemos|tomamos|abrimos|vamos con|seguimos con|dejamos|mantenemos|cancelamos|aplazamos|posponemos|hacemos|compramos|contratamos)\b/,
  /\bla decision es\b/,
  /\ba partir de ahora\b/,
  /\bvamos con (?:el|la|los|las) \w+/,
]
const NO_DECISION =
  /\b(?:no (?:hemos|se ha|esta) (?:decidido|acordado)|todavia no|aun no|si|podriamos|deberiamos|habiamos|ayer|el ano pasado|la semana pasada|quizas?|tal vez|a lo mejor|la proxima reunion)\b|\?$/

export const SPANISH: LanguageRules = {
  actionForms: SPANISH_ACTION_FORMS,
  isRuledOut: isSpanishTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^¿?(?:(?:estamos|estais|todos|todo|el|mundo|os|parece|y|es|esta|entonces|de) ?){0,6}(?:de acuerdo|acuerdo|conformes?|vale|bien|ok|okay|cerrado|hecho)\?$/,
  volunteering:
    /^(?:(?:si|vale|ok|okay|bueno|claro|entonces)[ ,.!]*){0,3}(?:(?:ya )?(?:lo|la) hago(?: yo)?|yo (?:lo|la) hago|(?:yo )?me (?:encargo|ocupo)(?: yo)?|dejamelo a mi)[.!]?$/,
  acceptance:
    /^(?:(?:si|claro|vale|ok|okay|bueno|por supuesto|desde luego|de acuerdo|perfecto|sin problema|venga|muy bien)[ ,.!]*){1,3}(?:$|yo |lo |la |me |puedo|sin problema|ya )|^(?:yo me (?:encargo|ocupo)|lo hago|me encargo|hecho|cuenta conmigo|sin problema|claro)\b/,
  refusal: /\b(?:no puedo|no tengo tiempo|imposible|yo no|lo siento,? (?:pero )?no)\b/,
  openPoint:
    /\b(?:pregunta abierta|(?:todavia|aun) no (?:lo )?(?:sabemos|se sabe|esta claro|esta decidido)|no sabemos (?:todavia|aun)|queda (?:por (?:saber|definir|decidir|aclarar|ver)|pendiente)|esta por (?:ver|definir|decidir)|hay que (?:averiguar|aclarar)|no esta claro)\b/,
  nonAnswer:
    /^(?:(?:eh|pues|hm+|ah|bueno|uf|la verdad)[ ,.!]*){0,3}(?:(?:muy )?buena pregunta|ni idea|no (?:lo )?se\b|no tengo ni idea|no sabria|(?:tengo|tendria) que (?:mirar|preguntar|comprobar|verlo)|ya veremos|depende|dificil de decir|quizas?[.!]?$|quien sabe|no estoy segur[ao])(?!\w)/,
  topicChange:
    /^(?:(?:ok|okay|vale|bueno|bien|genial|gracias|perfecto|de acuerdo|muy bien|estupendo|tranquil[oa])[ ,.!]*){0,3}(?:siguiente (?:tema|punto)|otra cosa|otro tema|ultimo (?:tema|punto)|pasamos|pasemos|ahora,? (?:el|la|los|las)|por cierto|una cosa mas|primer (?:tema|punto))\b/,
  socialQuestion:
    /\b(?:se me (?:oye|escucha)|me (?:ois|oyes|oyen|escuchais|escuchan|escuchas)|veis mi|ves mi|que tal|como estas?|algo mas|alguna (?:pregunta|duda|cosa)|estas ahi|estais ahi|empezamos|de que hablamos|todo bien|verdad\?|no\?$)/,
  smallTalk:
    /\b(?:hola|buenos dias|buenas tardes|buenas noches|gracias|adios|hasta (?:luego|manana|pronto|la proxima)|se me oye|pantalla|microfono|silenci|llego tarde|bienvenid[ao]s?|no pasa nada)\b/,
  dates: SPANISH_DATES,
}
