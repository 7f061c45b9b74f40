/**
 * Words that questions contain for their own sake and that say little about what is asked: how it was said, and by a group.
 * As the beginnings of words without accents. Stop words come from PostgreSQL's dictionary of the language.
 */
const WEAK_WORDS_BY_LANGUAGE: Readonly<Record<string, RegExp>> = {
  english:
    /^(?:summari|discuss|think$|thinks$|thinking$|thought|say$|says$|said$|saying$|talk|opinion|view|mention|accord|describ|explain|tell$|tells$|told$|meeting|group|team|participant|would$|could$|might$|also$|us$)/,
  german:
    /^(?:zusammenfass|besprech|besprochen|diskut|diskussion|denk|dacht|sagt|sagen|gesagt|sprech|gesprochen|meinung|meint|erwahn|beschreib|erklar|erzahl|sitzung|treffen|meeting|gruppe|team|teilnehm|wurde)/,
  french:
    /^(?:resum|discut|discuss|pens|dit$|dire$|dis$|parl|opinion|avis$|mention|decri|expliqu|racont|reunion|groupe|equipe|participant)/,
  spanish:
    /^(?:resum|discut|discusi|piens|pens|dijo|dicho|dice|decir|habl|opini|mencion|describ|explic|cont[oa]$|reunion|grupo|equipo|participante)/,
  portuguese:
    /^(?:resum|discut|discuss|pens|disse|dito|diz$|dizer|fal[aoe]|opini|mencion|descrev|explic|cont[oa]u?$|reuniao|reunioes|grupo|equipa|equipe|participante)/,
  italian:
    /^(?:riassum|discu|pens|dett[oi]$|dice|dire$|disse|parl|opinion|menzion|descriv|spieg|raccont|riunion|gruppo|squadra|partecipant)/,
  dutch:
    /^(?:samenvat|besprek|besproken|discuss|denk|dacht|zeg|zei$|gezegd|praat|gepraat|mening|noem|genoemd|beschrij|leg$|uitleg|vergader|groep|team|deelnem)/,
}
/** Words that ask, which PostgreSQL's lists of stop words do not have. Without accents. */
const ASKING_WORDS_BY_LANGUAGE: Readonly<Record<string, ReadonlySet<string>>> = listByLanguage({
  english: 'whose much many would could might may us also ever',
  german:
    'wer wen wem wessen wann warum wieso weshalb womit wofur wodurch woran worauf woruber wovon wozu wohin woher wieviel viel viele vielen gibt gab wurde wurden worden',
  french:
    'quand comment pourquoi combien quel quelle quels quelles lequel laquelle ou quoi va vont',
  spanish:
    'cuando cuanto cuanta cuantos cuantas cual cuales quien quienes como donde porque hay va',
  portuguese:
    'quando quanto quanta quantos quantas qual quais quem como onde porque ha vai vao e sao',
  italian: 'quando quanto quanta quanti quante quale quali chi come dove perche',
  dutch: 'wie wat wanneer waarom hoe hoeveel welke waar waarmee waarover',
})

function listByLanguage(words: Record<string, string>): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(
    Object.entries(words).map(([language, list]) => [language, new Set(list.split(' '))]),
  )
}

/** Japanese writes its small words in Hiragana, so a pair of characters without any other script says little. */
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
/** Frequent pairs of Chinese questions, and characters that are words without a meaning of their own. */
const CHINESE_SMALL_WORDS =
  /^(?:什么|什麼|怎么|怎麼|为什|為什|哪些|哪个|我们|我們|他们|他們|你们|如何|多少|是否|有没|没有|关于|關於)$|[的了吗嗎呢吧么麼们們]/u

export function isAskingWord(word: string, language: string): boolean {
  return ASKING_WORDS_BY_LANGUAGE[language]?.has(word) === true
}

export function isWeakWord(word: string, language: string | null): boolean {
  return language !== null && WEAK_WORDS_BY_LANGUAGE[language]?.test(word) === true
}

/** Whether characters of a script without spaces are only small words. */
export function isUnspacedStopWord(characters: string): boolean {
  return HIRAGANA_ONLY.test(characters) || CHINESE_SMALL_WORDS.test(characters)
}
