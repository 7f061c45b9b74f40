import { UNSPACED_CHARACTER } from '../lib/text/words.ts'

const ASCII = /^[\0-\x7f]*$/
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 's',
  œ: 'o',
  æ: 'a',
  ø: 'o',
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
}

/** A word with content. Words with the same `stem` are treated as the same word. */
export type ContentWord = { stem: string; text: string }

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu
const NUMBER = /^\p{N}+$/u
/** An article or pronoun attached to the next word, as in "l'agence" or "d'accord". */
const ELISION = /^(?:l|d|j|qu|n|s|c|m|t)'/
const MIN_CHARS = 3
/** Words with the same beginning are treated as the same: a light stemmer that needs no table per language. */
const STEM_CHARS = 6

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Frequent words without content, folded. Also used to recognize the language of short texts. */
const STOP_WORD_LISTS: Readonly<Record<string, string>> = {
  en: `a about after again ago all already also always am an and another any anybody anyone anything are aren't around as at
    away back be because been before being better bit both but by call came can can't cannot come comes could couldn't did
    didn't do does doesn't doing don't done down each else end enough even ever every everybody everyone everything exactly
    few fine first five for four from get gets getting give go goes going gonna good got great had has have haven't he hear
    her here hers him his hmm honestly hope how i i'd i'll i'm i've if in instead into is isn't it it's its just keep kind
    know last late later least less let let's like likes little long look looks lot lots love made make makes many may
    maybe me mean means meant might mine minute more most much must my need needs never new next nice no nobody none nor not
    nothing now of off often oh ok okay old on once one ones only or other our out over own people perfect perhaps please
    point pretty probably put quick quite rather really right said same saw say says second see seen sent she should shouldn't
    since so some somebody someone something sorry sort still such super sure take takes talk tell than thank thanks that
    that's the their them then there there's these they they're thing things think third this those though thought three
    through time to today told tomorrow too true try two uh um under until up us use used using very want wanted wants was
    wasn't way we we'd we'll we're we've week weeks well went were weren't what what's when where which while who why will
    with without won't work works would wouldn't wow yeah year years yep yes yesterday yet you you'd you'll you're you've
    your yours actually ah aha anyway basically blah bye certainly cool definitely eh essentially funny goodbye gotta guess
    guys hello hey hi huh interesting kinda literally mhm mm mm-hmm nah nope nuh obviously oops please possibly probably
    stuff suppose talking uh-huh uh-oh umm understand wanna weird whatever whether yay yup`,
  de: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bisschen bitte da
    dabei dafur dagegen daher damit danach danke dann daran darauf das dass davon dazu dein deine dem den denen denn der
    deren des deshalb dich die dies diese diesem diesen dieser dieses dir doch dort du durch eben ehrlich eigentlich ein
    eine einem einen einer eines einfach einige einmal einverstanden er es etwas euch euer eure fast fertig finde frage
    fragen fur gab ganz gar geht genau gern gerne gerade gesagt gestern gibt gleich gut gute guten habe haben habt halt hat
    hatte hatten hattest heute hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden
    jeder jedes jemand jetzt kann kannst kein keine keinem keinen keiner klar komme kommt konnen konnte konnten konntest
    kurz leider letzte letzten letztes mach mache machen macht mal man mehr mein meine meinem meinen meiner mich mir mit
    morgen muss mussen musst musste mussten na nach nachste nachsten nachster naturlich ne nein nicht nichts nie noch nun
    nur ob oder ohne okay prima punkt schon schnell sehr sein seine seinem seinen seiner seit selbst sich sie sieht sind so
    soll sollen sollte sollten sondern sonst stimmt tage toll uber um und uns unser unsere unserem unseren unser unter viel
    viele vielleicht vom von vor wann war ware waren warum was weil weiss weiter welche wenn wer werde werden wie wieder
    will wir wird wirklich wo woche wohl wollen worden wurde wurden ziemlich zu zum zur zusammen zwei drei vier zwar ach achso ah aha ahm gell hallo hm hmm irgendwie jo
    mhm naja nee oh quasi sozusagen tja tschuss`,
  fr: `a ah ai aie alors apres as assez au aucun aucune aujourd'hui aussi autre autres aux avais avait avant avec avez avoir
    avons beaucoup bien bon bonne bonjour c'est ca car ce ceci cela celle celui cependant ces cet cette chaque chez chose
    combien comme comment d'accord dans de demain depuis des deux devant deja dire dit dois doit donc dont du elle elles
    en encore enfin ensuite entre est et etait etaient etais ete etes etre eu euh eux faire fait faut faudrait fois font
    franchement genial gens grave hier hein ici il ils jamais je jour juste j'ai la le les leur leurs lesquels lui ma mais
    maintenant me meme merci mes mettre moi moins mois mon n'est ne ni non nos notre nous on ont ou oui par parce parfait
    pas pendant pense personne petit petite peu peut peut-etre peux plus plutot point pour pourquoi pourra pourrait
    pouvez premier prochain prochaine puis qu'il qu'on quand que quel quelle quelles quelqu'un quels quelque quelques qui
    quoi rien s'il sa sais sait sans se sera serait ses si soir son sont sous souvent suis super sur ta te tel tellement tes
    toi ton toujours tous tout toute toutes tres trois trop tu un une vais va vas veut veux verra vers viens vient voila voir
    vont vos votre vous vraiment vu y bah ben coucou hum mhm oh ok okay ouais salut waouh`,
  es: `a adios ahi ahora al algo alguien algun alguna algunas algunos alli ante antes aqui asi aun aunque ayer bastante bien
    bueno buena cada casi claro como con contra creo cual cuando cuanto cuantos da dar de del desde despues dia dias dice
    dicen dijo donde dos durante e el ella ellas ellos en entonces entre era eran es esa esas ese eso esos esta estaba estan
    estamos estar estas este esto estos estoy estupendo fue fueron genial gente gracias gran ha haber habia hace hacer hacia
    han hasta hay he hemos hola hoy igual ir la las le les llego lo los luego manana mas me mejor menos mi mia mientras mio
    mis mismo momento mucho muchos mucha muy nada nadie ni ninguno no normal nos nosotros nuestra nuestro nunca o os otra
    otras otro otros para parece pasado perdon perfecto pero perfecta poco podemos podria podriamos por porque pregunta
    primera primero pronto proxima proximo pueda puede pueden puedes puedo pues que quien quiere quieres quiero quizas se
    sea seguro semana ser seria si sido siempre sin sobre solo somos son soy su sus tal tambien tampoco tan tanto te tema
    tenemos tener tengo tenia tiene tienen todavia todo todos tres tu tus un una unas uno unos va vale vamos van veces venga
    ver verdad vez viene voy y ya yo ah aja ay bah eh hmm oh ok okay okey oye uf`,
  pt: `a acho agora ai ainda algo alguem algum alguma alguns ali amanha ano antes ao aos apenas aqui as assim ate bem boa bom
    cada certo coisa com como comigo concordo da dao daqui das de dela dele deles depois desde dessa desse desta deste deu
    deve dia dias disse dizer do dois dos duas e ela elas ele eles em entao entre era eram essa essas esse esses esta estao
    estar estava este estes estou eu faz fazer fica ficar foi foram fosse gente hoje ir isso isto ja la lhe logo mais mas
    me melhor menos mes mesma mesmo meu meus minha minhas muita muito muitos na nada nao nas nem nenhum nessa nesse ninguem
    no nos nossa nosso nossa nova novo num numa nunca o obrigada obrigado oi ok olha ontem onde os otimo ou outra outras outro
    outros para parece pela pelo pena perfeito pergunta pode podem poder podia pois por porque posso pouco pra precisa
    precisamos preciso proxima proximo qual qualquer quando quanto quantos que quem quer quero se seja sei sem sempre ser
    seria serio seu seus sim so sobre sou sua suas tal talvez tambem tao tem temos tenho ter teve tinha tipo toda todas todo
    todos trazer tres tu tudo ta uh um uma umas uns vai vamos vao vem ver vez vezes voce voces vou ah ahn beleza eh hum oh okay opa pois tchau ue`,
}

/** The stop words of each language that has a list. */
export const STOP_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(STOP_WORD_LISTS).map(([language, words]) => [
    language,
    new Set(words.split(/\s+/)),
  ]),
)
const NONE: ReadonlySet<string> = new Set()

type Range = readonly [from: number, to: number]

/** Scripts without spaces between words in which a character is half a spoken word. */
const HALF_WORDS: readonly Range[] = [
  [0x3040, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  // High surrogates of rare Han characters. The low surrogates are not counted.
  [0xd840, 0xd88d],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
]
/** Scripts without spaces between words in which a character is a quarter of a spoken word. */
const QUARTER_WORDS: readonly Range[] = [
  [0x0e01, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
]

/** Punctuation, symbols, emoji and private use characters, which do not start a word. */
const UNSPOKEN: readonly Range[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0x2000, 0x2bff],
  [0x2e00, 0x303f],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe6f],
  [0xfeff, 0xff0f],
  [0xff1a, 0xff20],
  [0xfff0, 0xffff],
]

/** English filler sounds and filler phrases. */
const FILLER =
  /\b(?:u+[hm]+|e+r+m*|hmm+|you know|i mean|(?<!(?:what|this|that|some|any|every|other|the|a|one) )(?:kind|sort) of)\b|, like,/gi
/** Words after "you know" or "I mean" that make the phrase part of the sentence and not a filler. */
const CONTENT_FOLLOWS =
  /^(?: what| how| why| who| where| when| that| the| if| whether| it| him| her| them)\b/i

/** Puts text on one line, with straight apostrophes and composed letters. */
export function toPlainLine(text: string): string {
  return text.normalize('NFC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/\s+/gu, ' ').trim()
}

/** Converts to lower case without accents. The length stays the same, so that positions are valid in both texts. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (let i = 0; i < text.length; i += 1) folded += foldCharacter(text.charAt(i))
  return folded
}

function foldCharacter(character: string): string {
  if (character < '\x80') return character.toLowerCase()
  const lower = character.toLowerCase()
  return UNDECOMPOSED[lower] ?? (lower.normalize('NFD').charAt(0) || character)
}

/** The words of a text, without stop words, numbers and very short words. */
export function listContentWords(
  text: string,
  stopWords: ReadonlySet<string>,
  isNameWord: (foldedWord: string) => boolean,
): ContentWord[] {
  if (UNSPACED_CHARACTER.test(text)) return listSegmentedWords(text)
  const words: ContentWord[] = []
  for (const [raw] of text.matchAll(WORD)) {
    const folded = foldText(raw)
    const elided = ELISION.exec(folded)?.[0].length ?? 0
    const word = folded.slice(elided)
    if (word.length < MIN_CHARS || NUMBER.test(word)) continue
    if (stopWords.has(word) || word.includes("'") || isNameWord(word)) continue
    words.push({ stem: toStem(word), text: raw.slice(elided) })
  }
  return words
}

function listSegmentedWords(text: string): ContentWord[] {
  return [...wordSegmenter.segment(text)]
    .filter(({ isWordLike, segment }) => isWordLike === true && segment.length > 1)
    .map(({ segment }) => ({ stem: segment, text: segment }))
}

function toStem(word: string): string {
  if (word.length > STEM_CHARS) return word.slice(0, STEM_CHARS)
  return word.length > 4 ? word.replace(/(?:es|s|e|n)$/, '') : word.replace(/s$/, '')
}

/** Returns an empty set for a language without a list. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  return STOP_WORDS.get(language ?? '') ?? NONE
}

/** Estimates the number of spoken words in one pass, accurately enough for shares and rates. */
export function countWords(text: string): number {
  let words = 0
  let unspaced = 0
  let isWithin = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const share = code < 0x0e01 ? 0 : shareOf(code)
    unspaced += share
    if (share > 0 || isSpace(code)) isWithin = false
    else if (!isWithin && isSpoken(code)) {
      words += 1
      isWithin = true
    }
  }
  return words + Math.ceil(unspaced)
}

function shareOf(code: number): number {
  if (isIn(HALF_WORDS, code)) return 0.5
  return isIn(QUARTER_WORDS, code) ? 0.25 : 0
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

function isSpoken(code: number): boolean {
  if (code >= 0x80) return !isIn(UNSPOKEN, code)
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function isIn(ranges: readonly Range[], code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return true
  return false
}

export function countFillers(text: string): number {
  let fillers = 0
  for (const { 0: found, index } of text.matchAll(FILLER)) {
    const isPhrase = found.length > 5 && /^[yi]/i.test(found)
    const after = index + found.length
    if (!isPhrase || !CONTENT_FOLLOWS.test(text.slice(after, after + 10))) fillers += 1
  }
  return fillers
}
