import type { DateLanguage } from '../due-date.ts'

/**
 * Whose task it is:
 * - `speaker`: "I will …"
 * - `named`: the name in group `who`
 * - `addressed`: the person whom the sentence addresses, or who accepts it in one of the next turns
 * - `nobody`: "let's …", "somebody has to …"
 */
export type TaskOwner = 'speaker' | 'named' | 'addressed' | 'nobody'

/** One way to promise, ask for or assign a task. */
export type ActionForm = {
  /** Matches masked text. Flags: `g`, and `d` for a group `who`. The task follows the match or is part of it. */
  pattern: RegExp
  owner: TaskOwner
  /** True if a question can have this form. */
  canBeQuestion?: boolean
  /** True if the sentence is a task only if it names a due date. */
  needsDueDate?: boolean
  /** True if the folded words after the match name a task. Without this function, every match is a task. */
  isTask?(words: string): boolean
}

/** How a language expresses what the recap lists. Patterns match folded text; in "masked" text, names are `@`. */
export type LanguageRules = {
  actionForms: readonly ActionForm[]
  /** True if the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
  isRuledOut(before: string, matchAndAfter: string): boolean
  /** True if a sentence states a decision that is being made. */
  isDecision(folded: string): boolean
  /** Matches a whole sentence such as "Agreed?" that asks if the previous statement is decided. */
  agreementQuestion: RegExp
  /** Matches a whole sentence such as "I'll do that", which does not say what is promised. */
  volunteering: RegExp
  /** Matches the beginning of a reply that accepts a request. */
  acceptance: RegExp
  /** Matches a reply that refuses a request. */
  refusal: RegExp
  /** Matches a statement that something is still unknown or has to be clarified. */
  openPoint: RegExp
  /** Matches a reply that does not answer the question. */
  nonAnswer: RegExp
  /** Matches the beginning of a turn that changes the topic. */
  topicChange: RegExp
  /** Matches questions that are polite or about the meeting itself. */
  socialQuestion: RegExp
  /** Matches greetings, thanks and remarks about the call, which do not belong in a summary. */
  smallTalk: RegExp
  dates: DateLanguage
}

/** Frequent words without content, folded. Also used to recognize the language of short texts. */
const STOP_WORDS: Readonly<Record<string, string>> = {
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
    your yours`,
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
    will wir wird wirklich wo woche wohl wollen worden wurde wurden ziemlich zu zum zur zusammen zwei drei vier zwar`,
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
    vont vos votre vous vraiment vu y`,
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
    ver verdad vez viene voy y ya yo`,
  pt: `a acho agora ai ainda algo alguem algum alguma alguns ali amanha ano antes ao aos apenas aqui as assim ate bem boa bom
    cada certo coisa com como comigo concordo da dao daqui das de dela dele deles depois desde dessa desse desta deste deu
    deve dia dias disse dizer do dois dos duas e ela elas ele eles em entao entre era eram essa essas esse esses esta estao
    estar estava este estes estou eu faz fazer fica ficar foi foram fosse gente hoje ir isso isto ja la lhe logo mais mas
    me melhor menos mes mesma mesmo meu meus minha minhas muita muito muitos na nada nao nas nem nenhum nessa nesse ninguem
    no nos nossa nosso nossa nova novo num numa nunca o obrigada obrigado oi ok olha ontem onde os otimo ou outra outras outro
    outros para parece pela pelo pena perfeito pergunta pode podem poder podia pois por porque posso pouco pra precisa
    precisamos preciso proxima proximo qual qualquer quando quanto quantos que quem quer quero se seja sei sem sempre ser
    seria serio seu seus sim so sobre sou sua suas tal talvez tambem tao tem temos tenho ter teve tinha tipo toda todas todo
    todos trazer tres tu tudo ta uh um uma umas uns vai vamos vao vem ver vez vezes voce voces vou`,
}

const WORD_SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)
const NONE: ReadonlySet<string> = new Set()

/** Creates a test for sentences: true if one of the patterns in `stated` matches and `ruledOut` does not. */
export function createStatementTest(
  stated: readonly RegExp[],
  ruledOut: RegExp,
): (folded: string) => boolean {
  return (folded) => stated.some((pattern) => pattern.test(folded)) && !ruledOut.test(folded)
}

/** Returns an empty set for a language without a list. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  return (language === null ? undefined : WORD_SETS.get(language)) ?? NONE
}

/** Returns the language whose stop words are most frequent among the folded words, or null if that is unclear. */
export function guessLanguageByStopWords(words: readonly string[]): string | null {
  const counts = [...WORD_SETS]
    .map(([language, set]) => ({ language, count: words.filter((word) => set.has(word)).length }))
    .toSorted((a, b) => b.count - a.count)
  const [best, second] = counts
  if (best === undefined || second === undefined) return null
  return best.count >= 2 && best.count > second.count && 4 * best.count >= words.length
    ? best.language
    : null
}
