/**
 * Makes what people say readable alone: without the words that join it to what was said before, without fillers and
 * repeated words. No word is added or replaced.
 */

/** Words at the start of a sentence that only join it to what was said before. */
const JOINING: Readonly<Record<string, string>> = {
  en: "then(?= (?:we|i|let's) )|nope|yes|yeah|yep|yup|okay|ok|kay|so|well|and|but|or|um|uh|uhm|mm|mm-hmm|hmm|oh|ah|alright|all right|anyway|i mean|you know|you see|because|'cause|also|plus|mr\\.? ?(?:chair(?:man|person)?|speaker)|madam ?(?:chair(?:woman|person)?|speaker)",
  de: 'nee|ja|jo|okay|ok|und|aber|oder|äh|ähm|hm|naja|na ja|tja|ach|achso|ach so|weil|na gut|alles klar',
  fr: "oui|ouais|ok|okay|d'accord|ben|bah|alors|donc|et|mais|ou|euh|hein|voilà|ah|oh|enfin|parce que",
  es: 'sí|vale|ok|okay|bueno|pues|entonces|y|pero|o|eh|ah|oh|a ver|porque|es que',
  pt: 'sim|ok|okay|tá|ta|então|e|mas|ou|hum|ah|oh|porque|pois',
}
/** The same for words that mean something else unless a punctuation mark follows: "No, we can", but "No one can". */
const REACTIONS: Readonly<Record<string, string>> = {
  en: 'no|right|sure|fine|great|good|cool|perfect|actually|basically|like|i guess|then|now|sorry|exactly|absolutely|of course',
  de: 'nein|ne|na|gut|genau|klar|sicher|stimmt|doch|eben|halt|also|super|prima',
  fr: "non|bon|bien|parfait|c'est vrai|exactement|super",
  es: 'no|si|este|claro|bien|perfecto|exacto|mira',
  pt: 'não|bom|bem|claro|certo|perfeito|olha|exatamente|pronto',
}
/** Words at the start of a sentence that mean something said before. */
const REFERENCES: Readonly<Record<string, string>> = {
  en: "what|how|one of which|does|do|did|is|are|was|were|has|have|can|could|will|would|should|see|seems|note|it|it's|it'll|its|that|that's|that'll|this|these|those|they|they're|they'll|he|he's|she|she's|which|there|same|neither|either|who|whose|him|them|her|his|their|if not|otherwise|not|to|of|for|with|than|as",
  de: 'das (?:ist|war|wird|wäre|hat|hatte|kann|könnte|muss|müsste|soll|sollte|geht|heißt|bedeutet|liegt|macht|machen|sehe|glaube|finde|stimmt|haben|sind|wollen)|es(?! gibt| geht um)|dies|diese|dieser|dieses|er|sie|welche|dort|damit|dafür|dagegen|davon|daran|dazu|sonst|deshalb|nicht',
  fr: "ça|cela|c'est|c'était|il(?! faut| y a| reste| manque)|elle|ils|elles|celui|celle|ceux|ce|cette|lequel|laquelle|qui|que|y|en|sinon|pas",
  es: 'eso|esto|ese|esa|esos|esas|este|esta|él|ella|ellos|ellas|lo|la que|el que|que|ahí|allí|si no|tampoco',
  pt: 'isso|isto|esse|essa|este|esta|ele|ela|eles|elas|o que|que|aí|ali|senão|também não|lá',
}
/** Words that a finished sentence does not end with. */
const UNFINISHED: Readonly<Record<string, string>> = {
  en: "the|a|an|to|of|and|or|but|so|because|which|with|for|from|if|is|are|was|were|am|i|we|they|he|she|my|our|your|their|i'm|we're|they're|you're|i'll|we'll|that's|it's|very|uh|um|yeah|you know|i mean",
  de: 'der|die|das|den|dem|ein|eine|einen|und|oder|aber|weil|dass|wenn|mit|für|von|zu|ist|sind|ich|wir|sehr|ja|äh',
  fr: 'le|la|les|un|une|des|de|du|et|ou|mais|parce que|que|qui|avec|pour|dans|est|sont|je|nous|on|très|euh',
  es: 'el|la|los|las|un|una|de|del|y|o|pero|porque|que|con|para|en|es|son|yo|muy|eh',
  pt: 'o|a|os|as|um|uma|de|do|da|e|ou|mas|porque|que|com|para|em|é|são|eu|muito|hum',
}
/** Pronouns that mostly mean something said before. */
const PRONOUNS: Readonly<Record<string, string>> = {
  en: "it|it's|it'll|they|they're|they'll|them|those|these|he|he's|she|she's|him|such|that one|this one|one of them|that stuff",
  de: 'es|sie|er|ihn|ihm|denen|jene|diese|dieser|dieses|davon|dazu|damit|dafür|dagegen',
  fr: 'ça|cela|il|elle|ils|elles|lui|leur|celui|celle|ceux',
  es: 'eso|esto|ellos|ellas|él|ella|ese|esa|aquello',
  pt: 'isso|isto|eles|elas|ele|ela|esse|essa|aquilo',
}
/** Pronouns that stand for the object at the end of a sentence. */
const LAST_OBJECTS: Readonly<Record<string, string>> = {
  en: 'that|this|it|them|those|these',
  de: 'das|es|die|den',
  fr: 'ça|cela',
  es: 'eso|esto',
  pt: 'isso|isto',
}
const FILLERS: Readonly<Record<string, string>> = {
  en: 'u+[hm]+|e+r+m*|h+m+|mm+|,? ?(?:you know|i mean)(?=,)',
  de: 'ä+h+m?|h+m+|mm+',
  fr: 'e+u+h+|h+m+|mm+',
  es: 'e+h+|h+m+|mm+',
  pt: 'h+u*m+|mm+',
}
/** A word, or two, said again at once: "I I I think", "we're we're going". */
const REPEATED = /(?<![\p{L}\p{N}'-])([\p{L}'-]+(?: [\p{L}'-]+)?)(?:,? \1)+(?![\p{L}\p{N}'-])/giu
/** Words that are repeated for emphasis. */
const EMPHASIS = /^(?:very|really|so|no|yes|more|sehr|ja|nein|très|muy|muito|much|far|long)$/i
const RESTART =
  /(?<=[\p{L}\p{N}] )(?:The|There|There's|And|So|But|If|We|You|It|It's|That|That's|This|They|What|Or|Because|Then|When|Real)\b|\b[b-df-hj-np-tv-z]{1,2}\b(?= [a-z])/gu
const FEWEST_WORDS = 3
const NOTHING = /(?!)/g

const reactionsOf = new Map(
  Object.keys(JOINING).map((language) => [
    language,
    new RegExp(
      `^(?:(?:(?:${JOINING[language]})(?![\\p{L}\\p{N}'-])|(?:${REACTIONS[language]})(?=[,.!;:–]))[\\s,.!;:–-]*)+`,
      'iu',
    ),
  ]),
)
const pronounsOf = compile(
  PRONOUNS,
  (words) => `(?<![\\p{L}\\p{N}'-])(?:${words})(?![\\p{L}\\p{N}'-])`,
  'giu',
)
const lastObjectsOf = compile(LAST_OBJECTS, (words) => `(?<![\\p{L}\\p{N}'-])(?:${words})[.!?]?$`)
const fillersOf = compile(
  FILLERS,
  (words) => `(?<![\\p{L}\\p{N}'-])(?:${words})(?![\\p{L}\\p{N}'-]),?`,
  'giu',
)
const unfinishedOf = compile(
  UNFINISHED,
  (words) => `(?<![\\p{L}\\p{N}'-])(?:${words})[\\s,.…–-]*$|[\u2013\u2014-][\\s.]*$`,
)
const referencesOf = compile(REFERENCES, (words) => `^(?:${words})(?![\\p{L}\\p{N}'-])`)

/** The sentence without fillers, repeated words and reactions at its start, if enough words remain. */
export function toReadableSentence(text: string, language: string | null): string {
  const fluent = text
    .replaceAll(fillersOf.get(language ?? '') ?? NOTHING, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:!?])/g, '')
    .replaceAll(/,(?=[,.;:!?])/g, '')
    .replaceAll(REPEATED, (all: string, word: string) => (EMPHASIS.test(word) ? all : word))
    .trim()
  const start = reactionsOf.get(language ?? '')?.exec(fluent)?.[0].length ?? 0
  const rest = fluent.slice(start).replace(/^[\s,.;:–-]+/, '')
  const chosen = rest.split(' ').length >= FEWEST_WORDS ? rest : fluent
  return chosen.charAt(0).toLocaleUpperCase() + chosen.slice(1)
}

/** How often an English speaker begins again within a sentence: "You ha i The hard part", "y yeah". */
export function countRestarts(text: string, language: string | null): number {
  return language === 'en' ? (text.match(RESTART)?.length ?? 0) : 0
}

export function countPronouns(text: string, language: string | null): number {
  return text.match(pronounsOf.get(language ?? '') ?? NOTHING)?.length ?? 0
}

/** "I'll do that": the object was named before. */
export function endsWithPronoun(text: string, language: string | null): boolean {
  return lastObjectsOf.get(language ?? '')?.test(text) ?? false
}

/** True if a sentence alone is not understandable: "That's why …", "We could take the", or half a quotation. */
export function needsContext(readable: string, language: string | null): boolean {
  const quotes = readable.match(/["“”]/g)?.length ?? 0
  const isUnfinished = unfinishedOf.get(language ?? '')?.test(readable) ?? false
  return (
    isUnfinished || quotes % 2 === 1 || (referencesOf.get(language ?? '')?.test(readable) ?? false)
  )
}

function compile(
  lists: Readonly<Record<string, string>>,
  toPattern: (words: string) => string,
  flags = 'iu',
) {
  return new Map(
    Object.entries(lists).map(([language, words]) => [
      language,
      new RegExp(toPattern(words), flags),
    ]),
  )
}
