import { PORTUGUESE_DATES } from '../dates/portuguese-dates.ts'
import { createStatementTest, type ActionForm, type LanguageRules } from './language-rules.ts'
import {
  buildVerbForms,
  FEW_WORDS,
  firstClause,
  globalPattern,
  lastClause,
  WHO,
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
  (infinitive) => {
    const stem = infinitive.slice(0, -2)
    const isFirstConjugation = infinitive.endsWith('ar')
    const third = isFirstConjugation ? `${stem}a` : `${stem}e`
    return {
      infinitive,
      first: `${stem}o`,
      third,
      futureFirst: `${infinitive}ei`,
      futureThird: `${infinitive}a`,
      imperative: `${third}|${isFirstConjugation ? `${stem}e` : `${stem}a`}`,
    }
  },
)

const PRONOUNS = '(?:(?:me|te|se|lhe|lhes|vos|nos|o|a|os|as) ){0,2}'
const ENCLITICS = '(?:-(?:me|te|se|lhe|lhes|nos|o|a|os|as|lo|la|los|las))?'
const INFINITIVE = `(?:${VERBS.infinitive})${ENCLITICS}`
const ADVERBS = '(?:tambem |ja |mesmo |mesma |entao |depois |logo |so ){0,2}'

const FORMS: readonly ActionForm[] = [
  { pattern: /\b(?:tarefa|acao|pendencia)(?: para (?:o |a )?(?<who>@+))?: /g, owner: 'named' },
  {
    pattern: globalPattern(
      `\\b(?:eu )?${ADVERBS}(?:vou|irei) ${ADVERBS}${PRONOUNS}${INFINITIVE}\\b`,
    ),
    owner: 'speaker',
  },
  { pattern: globalPattern(`\\b(?:eu )?${PRONOUNS}(?:${VERBS.futureFirst})\\b`), owner: 'speaker' },
  { pattern: globalPattern(`\\beu ${ADVERBS}${PRONOUNS}(?:${VERBS.first})\\b`), owner: 'speaker' },
  {
    pattern: globalPattern(`\\b(?:eu )?fico (?:de ${INFINITIVE}|responsavel|encarregad[ao])\\b`),
    owner: 'speaker',
  },
  { pattern: /\b(?:eu )?me (?:encarrego|ocupo|responsabilizo)\b/g, owner: 'speaker' },
  {
    pattern: globalPattern(`(?:^|[,;.] |\\bentao )(?:te |lhe )?(?:${VERBS.first}) `),
    owner: 'speaker',
    needsDueDate: true,
  },
  {
    pattern: globalPattern(`\\b(?:tenho que|tenho de|preciso) ${INFINITIVE}\\b`),
    owner: 'speaker',
    needsDueDate: true,
  },
  {
    pattern: globalPattern(`${WHO},? ${ADVERBS}(?:vai|ira) ${PRONOUNS}${INFINITIVE}\\b`),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `${WHO} (?:fica (?:de|responsavel|encarregad[ao]|com)|se encarrega|se ocupa|cuida|ficara)\\b`,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `${WHO} (?:tem que|tem de|precisa|deve|devera) ${PRONOUNS}${INFINITIVE}\\b`,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(`${WHO} ${PRONOUNS}(?:${VERBS.third})\\b`),
    owner: 'named',
    needsDueDate: true,
  },
  { pattern: globalPattern(`\\b(?:preciso|precisamos) que (?:o |a )?${WHO} `), owner: 'named' },
  {
    pattern: globalPattern(
      `\\b(?:voces? (?:pode|podem|poderia|poderiam|consegue|conseguem)|tu (?:podes|consegues)|podes|poderias|alguem (?:pode|poderia|consegue)|@, (?:pode|poderia)) ${FEW_WORDS}${INFINITIVE}\\b`,
    ),
    owner: 'addressed',
    canBeQuestion: true,
  },
  {
    pattern: globalPattern(`@, (?:por favor,? |entao )?(?:${VERBS.imperative})${ENCLITICS}\\b`),
    owner: 'addressed',
  },
  {
    pattern: globalPattern(`@, voce (?:tem que|precisa|deve|vai) ${PRONOUNS}${INFINITIVE}\\b`),
    owner: 'addressed',
  },
  {
    pattern: globalPattern(
      `\\balguem (?:tem que|precisa|deve|deveria) ${PRONOUNS}${INFINITIVE}\\b`,
    ),
    owner: 'nobody',
  },
  {
    pattern: globalPattern(
      `\\b(?:a gente (?:tem que|precisa|vai)|vamos|temos que|precisamos) ${PRONOUNS}${INFINITIVE}\\b`,
    ),
    owner: 'nobody',
    needsDueDate: true,
  },
]

const DOUBT =
  /\b(?:nao|nunca|ninguem|talvez|se|disse|dizia|pensava|achava|por que|quando|quem|iria)\b/
const AFTER_NO_TASK =
  /\b(?:nao|nunca|nada|ninguem|se eu|se a gente|sempre|cada|normalmente|as vezes|talvez|ja sei|agora)\b/
const SMALL_TALK_TASK =
  /^(?:(?:eu )?(?:vou (?:ser|dizer|compartilhar|explicar|mostrar|apresentar|falar (?:de|sobre|uma)|ver)|digo|vejo|explico|falo|passo|direi)\b|eu (?:ja )?(?:digo|vejo|explico|falo|passo|dou|respondo agora|consigo)\b|@+ (?:diz|da|ve|faz|fala)\b|@+, (?:de|da|ve|veja|diga|diz|fala|fale|passa|explica)\b|(?:voces? )?(?:pode|podem) (?:repetir|explicar|falar|mostrar|ver))/

const STATED: readonly RegExp[] = [
  /\b(?:a gente|nos|o grupo) (?:ja )?(?:decidiu|combinou|fechou|definiu|escolheu|decidimos|combinamos) (?:que|por|de|com|o|a|em|nao)\b/,
  /\b(?:decidimos|combinamos|acertamos) (?:que|por|de|nao)\b/,
  /\b(?:fica|ficou|esta|ta) (?:entao )?(?:decidido|combinado|acertado|definido|fechado|aprovado)\b/,
  /^(?:entao )?(?:combinado|fechado|decidido|acertado|aprovado),? (?:entao|vamos|ficamos|a gente|e|o|nos)\b/,
  /\bvamos (?:com|ficar com|manter|de) (?:o|a|os|as|um|uma)?\b/,
  /\b(?:entao|certo|bom|ok|beleza),? (?:ficamos|fica|mantemos|cancelamos|adiamos|escolhemos) \w+/,
  /\bficamos com (?:o|a|os|as)\b/,
  /\ba decisao e\b/,
  /\ba partir de agora\b/,
]
const NO_DECISION =
  /\b(?:nao (?:decidimos|decidiu|esta|ficou) (?:nada|ainda|decidido)|ainda nao|se a gente|poderiamos|podiamos|deveriamos|ontem|no ano passado|na semana passada|talvez|tinhamos)\b|\?$/

export const PORTUGUESE: LanguageRules = {
  actionForms: FORMS,
  isRuledOut: (before, matchAndAfter) =>
    DOUBT.test(lastClause(before)) ||
    /(?:^|[,;] ?)se\b/.test(before.slice(-200)) ||
    AFTER_NO_TASK.test(firstClause(matchAndAfter)) ||
    SMALL_TALK_TASK.test(matchAndAfter),
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:todos|todo|mundo|estamos|esta|ta|de|e|entao|tudo) ?){0,5}(?:acordo|fechado|combinado|certo|ok|okay|beleza|pode ser|concordam)\?$/,
  acceptance:
    /^(?:(?:sim|claro|ta|ta bom|ok|okay|certo|beleza|com certeza|posso|pode ser|perfeito|tudo bem)[ ,.!]*){1,3}(?:$|eu |vou |deixa|pode|sim|claro)|^(?:pode deixar|deixa comigo|posso|eu faco|combinado|fechado|com certeza)\b/,
  refusal: /\b(?:nao posso|nao consigo|nao da|nao tenho tempo|impossivel|eu nao)\b/,
  openPoint:
    /\b(?:pergunta em aberto|ainda nao (?:sabemos|se sabe|sei|esta claro|esta definido|decidimos)|nao sabemos ainda|(?:fica|falta|resta) (?:em aberto|saber|definir|decidir|pendente)|esta em aberto|precisamos (?:descobrir|definir|esclarecer)|a definir)\b/,
  nonAnswer:
    /^(?:(?:eh|bom|hm+|ah|olha|entao|nossa|sinceramente)[ ,.!]*){0,3}(?:(?:muito )?boa pergunta|nao (?:sei|faco ideia|tenho ideia|sabemos)|sei la|(?:preciso|tenho que) (?:olhar|ver|perguntar|checar|verificar)|vamos ver|depende|dificil dizer|talvez[.!]?$|quem sabe|nao tenho certeza)(?!\w)/,
  topicChange:
    /^(?:(?:ok|okay|ta|ta bom|certo|bom|otimo|obrigad[ao]|perfeito|beleza|excelente)[ ,.!]*){0,3}(?:proximo (?:assunto|ponto|tema)|outra coisa|outro assunto|ultimo (?:assunto|ponto)|mudando de assunto|agora,? (?:o|a|os|as)|alias|mais uma coisa|vamos para|primeiro (?:ponto|assunto))\b/,
  socialQuestion:
    /\b(?:(?:estao|esta) me ouvindo|me (?:ouvem|ouve|ouvindo|escutam)|veem minha|tudo bem|como vai|mais alguma coisa|alguma (?:pergunta|duvida)|algo mais|vamos comecar|o que eu perdi|esta ai|estao ai|certo\?$|ne\?$)/,
  smallTalk:
    /\b(?:oi|ola|bom dia|boa tarde|boa noite|obrigad[ao]|tchau|ate (?:mais|logo|amanha|segunda)|me ouvindo|minha tela|microfone|ja volto|voltei|bem-vind[ao]s?|desculpa o atraso)\b/,
  dates: PORTUGUESE_DATES,
}
