import { PORTUGUESE_DATES } from '../dates/portuguese-dates.ts'
import { PORTUGUESE_ACTION_FORMS, isPortugueseTaskRuledOut } from './portuguese-actions.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'

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
  actionForms: PORTUGUESE_ACTION_FORMS,
  isRuledOut: isPortugueseTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:todos|todo|mundo|estamos|esta|ta|de|e|entao|tudo) ?){0,5}(?:acordo|fechado|combinado|certo|ok|okay|beleza|pode ser|concordam)\?$/,
  volunteering:
    /^(?:(?:sim|ta|ta bom|ok|claro|entao|certo)[ ,.!]*){0,3}(?:(?:pode )?deixar? comigo|eu (?:faco|cuido|resolvo)(?: disso| isso)?|(?:isso )?eu faco)[.!]?$/,
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
