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
  QUESTION,
  byNobody,
  createRuledOutTest,
  conjugateIberian,
} from './verb-forms.ts'

const VERBS = buildVerbForms(
  `preparar mandar llamar revisar comprar reservar contactar preguntar organizar terminar acabar arreglar instalar
  configurar crear cambiar borrar anadir firmar pagar confirmar verificar comprobar avisar informar presentar redactar
  entregar buscar hablar publicar probar analizar comparar documentar desplegar cancelar actualizar completar
  reparar enviar pasar montar tomar apuntar coordinar gestionar solicitar encargar explicar convocar invitar imprimir
  compartir subir escribir responder vender recoger leer aprender mover`,
  [
    'enviar envio envia',
    'comprobar compruebo comprueba',
    'probar pruebo prueba',
    'hacer hago hace hare hara haz|haga',
    'poner pongo pone pondre pondra pon|ponga',
    'pedir pido pide pedire pedira pide|pida',
    'conseguir consigo consigue conseguire conseguira consigue|consiga',
    'traer traigo trae - - trae|traiga',
    'corregir corrijo corrige - - corrige|corrija',
    'traducir traduzco traduce - - traduce|traduzca',
    'cerrar cierro cierra - - cierra|cierre',
    'mostrar muestro muestra - - muestra|muestre',
    'medir mido mide - - mide|mida',
    'resolver resuelvo resuelve - - resuelve|resuelva',
    'devolver devuelvo devuelve - - devuelve|devuelva',
    'dar doy da dare dara da|de',
    'decir digo dice dire dira di|diga',
    'ir voy va ire ira ve|vaya',
    'ocupar ocupo ocupa - - ocupa',
    'averiguar averiguo averigua - - averigua|averigue',
    'investigar investigo investiga - - investiga|investigue',
    'colocar coloco coloca - - coloca|coloque',
    'buscar busco busca - - busca|busque',
    'pagar pago paga - - paga|pague',
  ],
  conjugateIberian('e'),
)

/** Pronouns that are attached to an infinitive or imperative. */
const ENCLITICS = '(?:me|te|se|nos|os)?(?:lo|la|le|los|las|les)?'
const PRONOUNS = '(?:(?:me|te|se|lo|la|le|los|las|les|os|nos) ){0,2}'
const INFINITIVE = `(?:${VERBS.infinitive})${ENCLITICS}`
const ADVERBS = '(?:tambien |ya |mismo |misma |entonces |luego ){0,2}'

/** Promises with verbs that are not in the list. */
const OTHER_VERBS = createFutureForms({
  speaker: `voy a ${ADVERBS}`,
  named: 'va a ',
  article:
    '(?:el|la|los|las|al|a los|a las|un|una|unos|unas|nuestr[oa]s?|vuestr[oa]s?|todos los|todas las|dos|tres|\\d+) ',
  infinitive: '[a-z]{2,20}[aei]r',
  noTask: [
    'ser|estar|tener|haber|decir|ver|saber|compartir|mostrar|ensenar|presentar|explicar|hablar|empezar|comenzar|terminar|acabar|tomar',
    'coger|dejar|dar|responder|contestar|hacer|pasar|abrir|describir|mencionar|intentar|esperar|parar|poner|ir|venir|salir|usar|utilizar',
    'apoyar|aceptar|perder|ganar|echar|oir|escuchar|mirar|entender|querer|creer|pensar|recordar|seguir|quedar|disfrutar|introducir',
    'moderar|resumir|admitir|adorar|odiar|beber|comer',
  ].join('|'),
  callObject:
    'reunion|llamada|microfono|camara|pantalla|chat|pregunta|punto|diapositivas?|palabra|tren|bus',
})

export const SPANISH_ACTION_FORMS: readonly ActionForm[] = [
  byNamed(/\b(?:tarea|accion|pendiente)(?: para (?<who>@+))?: /dg),
  ...OTHER_VERBS,
  bySpeaker(`\\b(?:yo )?${ADVERBS}${PRONOUNS}voy a ${ADVERBS}${INFINITIVE}\\b`),
  bySpeaker(`(?<!@ )\\b(?:yo )?${PRONOUNS}(?:${VERBS.futureFirst})\\b`),
  bySpeaker(`\\byo ${ADVERBS}${PRONOUNS}(?:${VERBS.first})\\b`),
  bySpeaker(`\\b(?:me|te|se|lo|la|le|los|las|les|os) ${PRONOUNS}(?:${VERBS.first})\\b(?: yo\\b)?`),
  bySpeaker(`(?:^|[,;.] |\\bentonces )(?:${VERBS.first}) `, IF_DUE),
  bySpeaker(/\bme (?:encargo|ocupo|encargare|ocupare)\b/g),
  bySpeaker(/\blo tengo (?:listo|hecho|terminado)\b/g, IF_DUE),
  bySpeaker(`\\btengo que ${INFINITIVE}\\b`, IF_DUE),
  byNamed(`${WHO},? ${PRONOUNS}va a ${INFINITIVE}\\b`),
  byNamed(`${WHO},? ${PRONOUNS}(?:${VERBS.futureThird})\\b`),
  byNamed(
    `${WHO} (?:se encarga|se ocupa|se encargara|se ocupara|es responsable|queda encargad[ao])\\b`,
  ),
  byNamed(`${WHO} (?:tiene que|debe|debera|deberia|ha de) ${PRONOUNS}${INFINITIVE}\\b`),
  byNamed(`\\ble toca a ${WHO} `),
  byNamed(`${WHO} ${PRONOUNS}(?:${VERBS.third})\\b`, IF_DUE),
  byNamed(`@+ y ${WHO} (?:van a ${INFINITIVE}|${PRONOUNS}(?:${VERBS.third})n)\\b`, IF_DUE),
  byNamed(`(?:^|[,:;] )que ${WHO} (?=[a-z])`),
  byAddressed(`\\bno (?:te )?olvides (?:de )?${INFINITIVE}\\b`),
  byNamed(`\\b(?:necesito|necesitamos) que ${WHO} `),
  byAddressed(
    `\\b${PRONOUNS}(?:puedes|podrias|podeis|podriais|pueden|podrian|alguien puede|alguien podria|puede alguien|podria alguien) ${FEW_WORDS}${INFINITIVE}\\b`,
    QUESTION,
  ),
  byAddressed(
    `@, (?:por favor,? )?(?:¿?te encargas|¿?te ocupas|(?:${VERBS.imperative})${ENCLITICS})\\b`,
    QUESTION,
  ),
  byAddressed(`@, (?:tu )?(?:tienes que|debes|deberias|vas a) ${PRONOUNS}${INFINITIVE}\\b`),
  byNobody(`\\balguien (?:tiene que|deberia|debe) ${PRONOUNS}${INFINITIVE}\\b`),
  byNobody(`\\b(?:hay que|vamos a|tenemos que|debemos) ${PRONOUNS}${INFINITIVE}\\b`, IF_DUE),
]

export const isSpanishTaskRuledOut = createRuledOutTest({
  doubt:
    /\b(?:no|nunca|nadie|quizas?|tal vez|a lo mejor|si|dijo|decia|pensaba|creia|por que|cuando|habria|iba)\b/,
  condition: /(?:^|[,;¿] ?)si\b/,
  notAfter:
    /\b(?:no|nunca|nada|nadie|si|siempre|cada|normalmente|a veces|quizas?|tal vez|a lo mejor|ahora)\b/,
  polite: /^no (?:te )?olvides/,
  smallTalk:
    /^(?:(?:yo )?(?:me |te |os |lo |le |les )*(?:voy a (?:ser|tomar(?:me)? un|decir|(?:poner|dar) un ejemplo|compartir (?:mi |la )?pantalla|explicar|mostrar|presentar|hablar de|ir)|dire|digo|pregunto|explico|voy(?! a ))\b|(?:me|te|se|lo|la|os) (?:imagino|creo|pregunto|digo|voy|doy|muestro|tomo)\b|tengo que (?:decir|silenciarme|ir)|@+ (?:va|da|dice|pasa|hace|pone)\b(?! a )|@+, (?:di|da|de|ve|pon|pasa|haz|lee|habla|explica)\b|(?:puedes|podrias|pueden) (?:repetir|explicar|hablar|subir el|mostrar|leer|decir))/,
})
