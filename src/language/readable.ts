/**
 * Makes what people say readable alone: without the words that join it to what was said before, without fillers and
 * repeated words. No word is added or replaced.
 */

/** Words at the start of a sentence that only react to what was said before. */
const REACTIONS: Readonly<Record<string, string>> = {
  en: 'no|nope|yes|yeah|yep|yup|okay|ok|kay|so|well|and|but|or|then|um|uh|uhm|mm|mm-hmm|hmm|oh|ah|right|sure|fine|great|good|cool|alright|all right|anyway|actually|basically|like|i mean|you know|you see|i guess|because|sorry|exactly|absolutely|of course|now|also|plus',
  de: 'nein|nee|ne|ja|jo|okay|ok|also|und|aber|oder|dann|äh|ähm|hm|na|naja|na ja|tja|gut|genau|klar|sicher|stimmt|ach|achso|ach so|weil|doch|eben|halt|na gut|alles klar',
  fr: "non|oui|ouais|ok|okay|d'accord|bon|ben|bah|alors|donc|et|mais|ou|euh|hein|voilà|bien|parfait|ah|oh|enfin|parce que|c'est vrai|exactement|super",
  es: 'no|sí|si|vale|ok|okay|bueno|pues|entonces|y|pero|o|eh|este|claro|bien|perfecto|ah|oh|a ver|porque|exacto|es que|mira',
  pt: 'não|sim|ok|okay|tá|ta|bom|bem|então|e|mas|ou|é|hum|ah|oh|claro|certo|perfeito|olha|porque|exatamente|pois|pronto',
}
/** Words at the start of a sentence that mean something said before. */
const REFERENCES: Readonly<Record<string, string>> = {
  en: "it|it's|it'll|its|that|that's|that'll|this|these|those|they|they're|they'll|he|he's|she|she's|which|there|same|neither|either|who|whose|him|them|her|his|their|if not|otherwise|not|to|of|for|with|than|as",
  de: 'das|es|dies|diese|dieser|dieses|der|die|er|sie|welche|dort|da|dem|den|damit|dafür|dagegen|davon|daran|dazu|sonst|deshalb|nicht',
  fr: "ça|cela|c'est|c'était|il|elle|ils|elles|celui|celle|ceux|ce|cette|lequel|laquelle|qui|que|y|en|sinon|pas",
  es: 'eso|esto|ese|esa|esos|esas|este|esta|él|ella|ellos|ellas|lo|la que|el que|que|ahí|allí|si no|tampoco',
  pt: 'isso|isto|esse|essa|este|esta|ele|ela|eles|elas|o que|que|aí|ali|senão|também não|lá',
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
const FEWEST_WORDS = 3
const NOTHING = /(?!)/g

const reactionsOf = compile(
  REACTIONS,
  (words) => `^(?:(?:${words})(?![\\p{L}\\p{N}'-])[\\s,.!;:–-]*)+`,
)
const fillersOf = compile(
  FILLERS,
  (words) => `(?<![\\p{L}\\p{N}'-])(?:${words})(?![\\p{L}\\p{N}'-]),?`,
  'giu',
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

/** True if a sentence begins with a word that means something said before, such as "That's why …". */
export function needsSentenceBefore(readable: string, language: string | null): boolean {
  return referencesOf.get(language ?? '')?.test(readable) ?? false
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
