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
  `enviar mandar preparar ligar comprar reservar contatar perguntar organizar terminar acabar consertar instalar
  configurar criar mudar apagar adicionar assinar pagar confirmar verificar avisar informar apresentar entregar buscar
  procurar falar publicar testar analisar comparar documentar cancelar atualizar completar passar montar tomar anotar
  coordenar solicitar explicar convidar convocar revisar conversar cuidar marcar agendar fechar levar encomendar
  escrever responder resolver vender receber imprimir corrigir definir discutir checar redigir preencher repassar`,
  [
    'fazer faco faz farei fara faz|faca',
    'por ponho poe porei pora poe|ponha',
    'pedir peco pede - - pede|peca',
    'trazer trago traz trarei trara traz|traga',
    'dar dou da - - da|de',
    'dizer digo diz direi dira diz|diga',
    'ver vejo ve - - ve|veja',
    'conseguir consigo consegue - - consegue|consiga',
    'traduzir traduzo traduz - - traduz|traduza',
    'subir subo sobe - - sobe|suba',
    'ligar ligo liga - - liga|ligue',
    'pagar pago paga - - paga|pague',
    'entregar entrego entrega - - entrega|entregue',
    'publicar publico publica - - publica|publique',
    'verificar verifico verifica - - verifica|verifique',
    'buscar busco busca - - busca|busque',
    'marcar marco marca - - marca|marque',
    'checar checo checa - - checa|cheque',
    'descobrir descubro descobre - - descobre|descubra',
    'medir meco mede - - mede|meca',
    'providenciar providencio providencia - - providencia|providencie',
  ],
  conjugateIberian('ei'),
)

const PRONOUNS = '(?:(?:me|te|se|lhe|lhes|vos|nos|o|a|os|as) ){0,2}'
const ENCLITICS = '(?:-(?:me|te|se|lhe|lhes|nos|o|a|os|as|lo|la|los|las))?'
const INFINITIVE = `(?:${VERBS.infinitive})${ENCLITICS}`
const ADVERBS = '(?:tambem |ja |mesmo |mesma |entao |depois |logo |so ){0,2}'

/** Promises with verbs that are not in the list. */
const OTHER_VERBS = createFutureForms({
  speaker: `(?:vou|irei) ${ADVERBS}`,
  named: '(?:vai|ira) ',
  article:
    '(?:o|a|os|as|ao|aos|um|uma|uns|umas|noss[oa]s?|voss[oa]s?|todos os|todas as|dois|duas|tres|\\d+) ',
  infinitive: '(?:ler|[a-z]{2,20}[aei]r)',
  noTask: [
    'ser|estar|ter|haver|dizer|ver|saber|compartilhar|partilhar|mostrar|apresentar|explicar|falar|comecar|terminar|acabar|tomar',
    'pegar|deixar|dar|responder|fazer|passar|abrir|descrever|mencionar|tentar|esperar|parar|colocar|ir|vir|sair|usar|utilizar|apoiar',
    'aceitar|perder|ganhar|ouvir|escutar|olhar|entender|querer|achar|pensar|lembrar|seguir|ficar|curtir|introduzir|moderar|resumir',
    'admitir|adorar|odiar|beber|comer',
  ].join('|'),
  callObject:
    'reuniao|chamada|microfone|camera|tela|ecra|chat|pergunta|ponto|slides?|palavra|trem|comboio|onibus',
})

export const PORTUGUESE_ACTION_FORMS: readonly ActionForm[] = [
  byNamed(/\b(?:tarefa|acao|pendencia)(?: para (?:o |a )?(?<who>@+))?: /dg),
  ...OTHER_VERBS,
  bySpeaker(`\\b(?:eu )?${ADVERBS}(?:vou|irei) ${ADVERBS}${PRONOUNS}${INFINITIVE}\\b`),
  bySpeaker(`\\b(?:eu )?${PRONOUNS}(?:${VERBS.futureFirst})\\b`),
  bySpeaker(`\\beu ${ADVERBS}${PRONOUNS}(?:${VERBS.first})\\b`),
  bySpeaker(`\\b(?:eu )?fico (?:de ${INFINITIVE}|responsavel|encarregad[ao])\\b`),
  bySpeaker(/\b(?:eu )?me (?:encarrego|ocupo|responsabilizo)\b/g),
  bySpeaker(`(?:^|[,;.] |\\bentao )(?:te |lhe )?(?:${VERBS.first}) `, IF_DUE),
  bySpeaker(`\\b(?:tenho que|tenho de|preciso) ${INFINITIVE}\\b`, IF_DUE),
  byNamed(`${WHO},? ${ADVERBS}(?:vai|ira) ${PRONOUNS}${INFINITIVE}\\b`),
  byNamed(
    `${WHO} (?:fica (?:de|responsavel|encarregad[ao]|com)|se encarrega|se ocupa|cuida|ficara)\\b`,
  ),
  byNamed(`${WHO} (?:tem que|tem de|precisa|deve|devera) ${PRONOUNS}${INFINITIVE}\\b`),
  byNamed(`${WHO} ${PRONOUNS}(?:${VERBS.third})\\b`, IF_DUE),
  byNamed(`@+ e (?:o |a )?${WHO} (?:vao ${INFINITIVE}|${PRONOUNS}(?:${VERBS.third})m)\\b`, IF_DUE),
  byAddressed(`\\bnao (?:se |te )?esquec(?:e|a|as) de ${INFINITIVE}\\b`),
  byNamed(`\\b(?:preciso|precisamos) que (?:o |a )?${WHO} `),
  byAddressed(
    `\\b(?:voces? (?:pode|podem|poderia|poderiam|consegue|conseguem)|tu (?:podes|consegues)|podes|poderias|alguem (?:pode|poderia|consegue)|@, (?:pode|poderia)) ${FEW_WORDS}${INFINITIVE}\\b`,
    QUESTION,
  ),
  byAddressed(`@, (?:por favor,? |entao )?(?:${VERBS.imperative})${ENCLITICS}\\b`),
  byAddressed(`@, voce (?:tem que|precisa|deve|vai) ${PRONOUNS}${INFINITIVE}\\b`),
  byNobody(`\\balguem (?:tem que|precisa|deve|deveria) ${PRONOUNS}${INFINITIVE}\\b`),
  byNobody(
    `\\b(?:a gente (?:tem que|precisa|vai)|vamos|temos que|precisamos) ${PRONOUNS}${INFINITIVE}\\b`,
    IF_DUE,
  ),
]

export const isPortugueseTaskRuledOut = createRuledOutTest({
  doubt: /\b(?:nao|nunca|ninguem|talvez|se|disse|dizia|pensava|achava|por que|quando|quem|iria)\b/,
  condition: /(?:^|[,;] ?)se\b/,
  notAfter:
    /\b(?:nao|nunca|nada|ninguem|se eu|se a gente|sempre|cada|normalmente|as vezes|talvez|ja sei|agora)\b/,
  polite: /^nao (?:se |te )?esquec/,
  smallTalk:
    /^(?:(?:eu )?(?:vou (?:ser|tomar um|responder [ao] pergunta|dizer|compartilhar|explicar|mostrar|apresentar|falar (?:de|sobre|uma)|ver|dar um(?:a)? (?:exemplo|olhada))|digo|vejo|explico|falo(?! com )|passo|direi)\b|eu (?:ja )?(?:digo|vejo|explico|falo(?! com )|passo|dou|respondo agora|consigo)\b|@+ (?:diz|da|ve|faz|fala)\b|@+, (?:de|da|ve|veja|diga|diz|fala|fale|passa|explica)\b|(?:voces? )?(?:pode|podem) (?:repetir|explicar|falar|mostrar|ver))/,
})
