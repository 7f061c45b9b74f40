import { GERMAN_DATES } from '../dates/german-dates.ts'
import { GERMAN_ACTION_FORMS, isGermanTaskRuledOut } from './german-actions.ts'
import { createStatementTest, type LanguageRules } from './language-rules.ts'

const STATED: readonly RegExp[] = [
  /\b(?:das|es|damit|somit)(?: ist)?(?: (?:jetzt|nun|also|damit|ist|hiermit)){0,3} (?:beschlossen|entschieden|abgemacht|vereinbart|festgelegt|beschlossene sache)\b/,
  /\bwir haben (?:uns )?(?:[^\s,;]{1,30} ){0,8}?(?:entschieden|beschlossen|geeinigt|vereinbart|festgelegt|verstandigt)\b/,
  /\b(?:dann|also|gut|okay|ok|somit|damit|deshalb|daher),? (?:nehmen|bleiben|machen|behalten|verschieben|streichen|lassen|setzen|verzichten|wahlen|entscheiden|gehen|zahlen|starten|einigen) wir\b/,
  /\b(?:dann|also|gut|okay|ok) (?:wir )?(?:bleiben wir bei|nehmen wir|entscheiden wir uns)\b/,
  /\bwir (?:bleiben bei|einigen uns auf|entscheiden uns (?:fur|gegen)|verzichten auf|nehmen (?:den|die|das))\b/,
  /\bdie entscheidung (?:ist|lautet)\b/,
  /\b(?:lasst|lass) uns (?:[^\s,;]{1,30} ){1,8}?(?:verschieben|streichen|absagen|nehmen|behalten|weglassen)\b/,
  /^(?:abgemacht|beschlossen|einverstanden),? (?:dann|also|wir)\b/,
  /\bab (?:jetzt|sofort)(?: gilt| machen| treffen| nehmen|,)/,
]
const NO_DECISION =
  /\b(?:noch nicht|nicht (?:entschieden|beschlossen)|mussen|musste|sollten|konnten|wurden|hatten|wenn|falls|ob|letzte|letzten|letztes|gestern|damals|vielleicht|eventuell|entscheiden wir (?:nachste|morgen|spater|am))\b|\?$/

export const GERMAN: LanguageRules = {
  actionForms: GERMAN_ACTION_FORMS,
  isRuledOut: isGermanTaskRuledOut,
  isDecision: createStatementTest(STATED, NO_DECISION),
  agreementQuestion:
    /^(?:(?:sind|alle|wir|ist|das|seid|ihr|damit|fur|in|so|also|dann|und|okay|ok) ?){0,6}(?:einverstanden|okay|ok|abgemacht|in ordnung|recht|einig)\?$/,
  volunteering:
    /^(?:(?:ja|ok|okay|gut|klar|dann|na gut)[ ,.!]*){0,3}(?:(?:das|die|den) )?(?:mach|mache|ubernehme|erledige|kann) ich(?: (?:gern|gerne|dann|schon|machen|ubernehmen|erledigen)){0,2}[.!]?$|^ich (?:mache|ubernehme|erledige) (?:das|es|die|den)(?: (?:gern|gerne|dann)){0,2}[.!]?$/,
  acceptance:
    /^(?:(?:ja|ok|okay|gut|klar|gern|gerne|prima|alles klar|na gut|sicher|naturlich|einverstanden|aber gut)[ ,.!]*){1,3}(?:$|mache ich|mach ich|das mache ich|ich |kann ich)|^(?:mache? ich|das mache? ich|wird gemacht|erledige ich|ubernehme ich|kann ich (?:machen|ubernehmen))\b/,
  refusal:
    /\b(?:(?:kann|schaffe) ich (?:leider )?nicht|ich (?:kann|schaffe) (?:das )?(?:leider )?nicht|keine zeit|geht (?:bei mir )?(?:leider )?nicht|ich nicht|leider nein)\b/,
  openPoint:
    /\b(?:offene frage|offen ist (?:noch)?|noch offen|(?:wissen|weiss) (?:wir|ich|niemand|keiner)(?: \w+){0,2} noch nicht|wir wissen (?:\w+ ){0,2}noch nicht|(?:ist|bleibt) (?:noch )?(?:unklar|offen|ungeklart)|mussen (?:wir )?(?:noch )?(?:klaren|herausfinden)|wir mussen noch (?:klaren|herausfinden)|steht noch nicht fest)\b/,
  nonAnswer:
    /^(?:(?:hm+|ah|oh|tja|puh|also|ja|na|gut|okay|ehrlich gesagt)[ ,.!]*){0,3}(?:(?:sehr )?gute frage|keine ahnung|(?:das )?weiss ich (?:auch |leider |noch |gerade )?nicht|ich weiss (?:es|das)?(?: \w+)? ?nicht|da (?:muss|musste) ich|das muss ich|muss ich (?:erst |mal |noch )?(?:nachsehen|nachschauen|fragen|prufen|klaren)|das klaren wir|schwer zu sagen|mal sehen|kommt drauf an|vielleicht[.!]?$)(?!\w)/,
  topicChange:
    /^(?:(?:okay|ok|gut|prima|so|stimmt|danke|sehr schon|ja|also)[ ,.!]*){0,3}(?:nachster punkt|nachstes thema|noch etwas|noch was|eine sache noch|weiter (?:mit|geht)|kommen wir|machen wir weiter|letzter punkt|zum schluss|jetzt (?:das|die|der|zu|noch)|als nachstes|ubrigens)\b/,
  socialQuestion:
    /\b(?:hort ihr|horst du|konnt ihr mich|kannst du mich|seht ihr|siehst du|wie geht(?:'s| es)|sonst noch|noch (?:fragen|was)|habe ich (?:was|etwas) verpasst|alles klar|seid ihr (?:alle )?(?:da|so weit)|bist du (?:da|noch da)|fangen wir an|wollen wir anfangen|passt das)(?!\w)/,
  smallTalk:
    /\b(?:guten (?:morgen|tag|abend)|hallo|danke|vielen dank|tschuss|bis (?:dann|bald|nachste woche|spater)|schones wochenende|hort ihr|hore dich|bildschirm|stumm|mikro|gleich wieder da|da bin ich wieder|willkommen)\b/,
  dates: GERMAN_DATES,
}
