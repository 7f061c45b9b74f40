import { dateRule, type DateLanguage } from '../due-date.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'
import { SPANISH_ACTION_FORMS, isSpanishTaskRuledOut } from './spanish-actions.ts'

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

const weekdays = 'lunes martes miercoles jueves viernes sabado domingo'.split(' ')
const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre'.split(
    ' ',
  )
const DAY = `(?<weekday>${weekdays.join('|')})`
const MONTH = `(?<month>${months.join('|')})`
/** Prepositions before a date. */
const BEFORE = '(?:(?:antes|para|hasta|a mas tardar|este) )?(?:del? )?(?:el |este )?'
/** A day in the past or a repeated day is not a due date. */
const NOT_DUE = '(?<!\\b(?:desde el|cada|todos los|los|del pasado|el pasado) )'

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
    dateRule('monthDay', `\\b${BEFORE}(?:dia )?(?<day>\\d{1,2}) de ${MONTH}\\b`),
    dateRule('monthDay', `\\b${BEFORE}(?<day>\\d{1,2})/(?<monthNumber>\\d{1,2})\\b`),
    dateRule(
      'endOfWeek',
      /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de la (?:proxima semana|semana que viene)\b/g,
      1,
    ),
    dateRule(
      'endOfWeek',
      /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de (?:la |esta )?semana\b/g,
    ),
    dateRule(
      'endOfMonth',
      /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) del? (?:proximo mes|mes que viene)\b/g,
      1,
    ),
    dateRule(
      'endOfMonth',
      /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de(?:l| este)? mes\b/g,
    ),
    dateRule(
      'endOfYear',
      /\b(?:antes |para |a )?(?:del? )?(?:el )?(?:fin|final|finales) de(?:l)? ano\b/g,
    ),
    dateRule('days', /\bpasado manana\b/g, 2),
    dateRule(
      'days',
      /(?<!\b(?:la|esta|de la|por la) )\b(?:para |antes de |hasta )?manana(?: (?:mismo|por la (?:manana|tarde|noche)|a primera hora))?\b/g,
      1,
    ),
    dateRule(
      'days',
      /\b(?:para |antes de )?(?:hoy(?: mismo)?|esta (?:manana|tarde|noche)|despues de (?:la|esta) (?:reunion|llamada))\b/g,
      0,
    ),
    dateRule('nextWeekday', `\\b${BEFORE}proximo ${DAY}\\b`),
    dateRule('nextWeekday', `\\b${BEFORE}${DAY} (?:que viene|de la semana que viene|proximo)\\b`),
    dateRule('weekday', `\\b${BEFORE}${NOT_DUE}${DAY}\\b(?! (?:pasado|ultimo))`),
    dateRule('endOfWeek', /\b(?:la semana que viene|la proxima semana)\b/g, 1),
    dateRule('endOfWeek', /\b(?:en )?esta semana\b/g),
    dateRule('endOfMonth', /\bel (?:mes que viene|proximo mes)\b/g, 1),
    dateRule('endOfMonth', /\beste mes\b/g),
    dateRule(
      'inUnits',
      /\b(?:en|dentro de) (?<count>\d{1,3}|una?|dos|tres|cuatro|cinco|seis|ocho|quince) (?<unit>dias?|semanas?|mes(?:es)?)\b/g,
    ),
    dateRule(
      'dayOfMonth',
      /\b(?:antes del|para el|hasta el|el)(?: dia)? (?<day>\d{1,2})(?![\d%]|,\d| (?:por|horas?|euros?|personas?))\b/g,
    ),
  ],
}

export const SPANISH: LanguageRules = {
  actionForms: SPANISH_ACTION_FORMS,
  isRuledOut: isSpanishTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^¿?(?:(?:estamos|estais|todos|todo|el|mundo|os|parece|y|es|esta|entonces|de) ?){0,6}(?:de acuerdo|acuerdo|conformes?|vale|bien|ok|okay|cerrado|hecho)\?$/,
  volunteering:
    /^(?:(?:si|vale|ok|okay|bueno|claro|entonces)[ ,.!]*){0,3}(?:(?:ya )?(?:lo|la) hago(?: yo)?|yo (?:lo|la) hago|(?:yo )?me (?:encargo|ocupo)(?: yo)?(?: de (?:eso|ello))?|eso lo hago yo|dejamelo a mi)[.!]?$/,
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
