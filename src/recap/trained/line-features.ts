import type { LanguageRules } from '../../language/rules/language-rules.ts'
import type {
  PreparedMeeting,
  PreparedSegment,
  SegmentSentence,
} from '../rules/prepared-meeting.ts'

/** Words that the trained weights know. Other words, such as the topics of meetings, must not influence them. */
export type Vocabulary = ReadonlySet<string>

const WORD = /@|[a-z][a-z'-]*|\p{N}+/gu
const MAX_WORDS = 60
const NEIGHBOURS = 2
const NEAR_THE_END = 0.95
/** Groups of words that mean the same here. */
const MODALITIES: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['future', /\b(?:will|shall|gonna|going to)\b|'ll\b/],
  [
    'duty',
    /\b(?:must|have to|has to|had to|need to|needs to|should|supposed to|ought to|gotta|got to)\b/,
  ],
  ['possible', /\b(?:can|could|may|might|maybe|perhaps|possibly|would)\b|'d\b/],
  ['negated', /\b(?:not|no|never|nothing)\b|n't\b/],
  ['past', /\b(?:was|were|did|had|said|told|thought|been)\b/],
  ['if', /\b(?:if|unless|whether|suppose)\b/],
]
const PERSONS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['I', /\b(?:i|i'll|i'm|i've|i'd|me|my)\b/],
  ['you', /\b(?:you|you'll|you're|you've|your)\b/],
  ['we', /\b(?:we|we'll|we're|we've|us|our|let's)\b/],
  ['they', /\b(?:he|she|they|he'll|she'll|they'll|him|her|them)\b/],
  ['it', /\b(?:it|it's|it'll|this|that|that's)\b/],
]

/** Where a feature is true: in the sentence itself, or in one next to it, of the same or another speaker. */
export const PLACES = [
  'here',
  'before',
  'before, by another',
  'after',
  'after, by another',
] as const
export type Place = (typeof PLACES)[number]

/** Lists the sentences of a meeting, and calls `use` for each feature of each of them. */
export function readFeatures(
  { segments, rules }: PreparedMeeting,
  vocabulary: Vocabulary,
  use: (index: number, place: Place, feature: string) => void,
): SegmentSentence[] {
  const shares = measureTalkShares(segments)
  const sentences = segments.flatMap((segment) => segment.sentences)
  const speakers = sentences.map(({ segmentIndex }) => segments[segmentIndex]?.speaker ?? '')
  const end = sentences.length
  for (const [index, sentence] of sentences.entries()) {
    const { own, seenByNeighbours } = listOwnFeatures(sentence, rules, vocabulary)
    for (const feature of own) use(index, 'here', feature)
    use(index, 'here', `position ${Math.floor((10 * index) / end)}`)
    use(index, 'here', `talks ${shares.get(speakers[index] ?? '') ?? 0}`)
    if (index / end > NEAR_THE_END) use(index, 'here', 'near the end')
    for (let other = index - NEIGHBOURS; other <= index + NEIGHBOURS; other += 1) {
      if (other === index || other < 0 || other >= end) continue
      const side = other < index ? 'after' : 'before'
      const place = speakers[other] === speakers[index] ? side : (`${side}, by another` as const)
      for (const feature of seenByNeighbours) use(other, place, feature)
    }
  }
  return sentences
}

function listOwnFeatures(
  sentence: SegmentSentence,
  rules: LanguageRules | null,
  vocabulary: Vocabulary,
): { own: ReadonlySet<string>; seenByNeighbours: ReadonlySet<string> } {
  const { masked, folded, isQuestion } = sentence
  const all = [...masked.matchAll(WORD)]
    .slice(0, MAX_WORDS)
    .map(([word]) => (/^\p{N}/u.test(word) ? '#' : word))
  const words = all.map((word) =>
    vocabulary.has(word) || word === '@' || word === '#' ? word : '*',
  )
  const known = words.filter((word) => word !== '*')
  const brief = [
    ...(isQuestion ? ['question'] : []),
    ...MODALITIES.filter(([, pattern]) => pattern.test(folded)).map(([name]) => name),
    ...listRuleFeatures(sentence, rules),
  ]
  const persons = PERSONS.filter(([, pattern]) => pattern.test(folded)).map(([name]) => name)
  const modal = brief.flatMap((name) => persons.map((person) => `${person} ${name}`))
  const pairs = words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? '*'
    return word === '*' && before === '*' ? [] : [`p:${before} ${word}`]
  })
  const spoken = known.map((word) => `w:${word}`)
  const own = [
    `length ${Math.min(8, Math.floor(Math.log2(all.length + 1) * 2))}`,
    `first ${words[0] ?? ''}`,
    ...brief,
    ...persons,
    ...modal,
    ...spoken,
    ...pairs,
  ]
  const alone = all.length <= 2 ? known.map((word) => `says only ${word}`) : []
  return { own: new Set(own), seenByNeighbours: new Set([...brief, ...alone, ...spoken]) }
}

function listRuleFeatures(
  { masked, folded }: SegmentSentence,
  rules: LanguageRules | null,
): string[] {
  if (rules === null) return []
  const forms = rules.actionForms.filter(({ pattern, isTask }) => {
    if (masked.search(pattern) === -1) return false
    const [match] = masked.matchAll(pattern).take(1)
    return (
      match !== undefined &&
      (isTask?.(folded.slice(match.index + match[0].length), match[0]) ?? true)
    )
  })
  return [
    ...new Set(forms.map(({ owner }) => `task of ${owner}`)),
    ...(rules.isDecision(folded) ? ['decision'] : []),
    ...(rules.openPoint.test(folded) ? ['open point'] : []),
    ...(rules.topicChange.test(folded) ? ['next topic'] : []),
    ...(rules.acceptance.test(folded) ? ['accepts'] : []),
    ...(rules.smallTalk.test(folded) ? ['small talk'] : []),
  ]
}

/** How much each speaker talks, compared with an equal share: 0 to 4. */
function measureTalkShares(segments: readonly PreparedSegment[]): Map<string, number> {
  const chars = new Map<string, number>()
  for (const { speaker, text } of segments)
    chars.set(speaker, (chars.get(speaker) ?? 0) + text.length)
  const mean = segments.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, chars.size)
  return new Map(
    [...chars].map(([speaker, count]) => [speaker, Math.min(4, Math.floor((2 * count) / mean))]),
  )
}
