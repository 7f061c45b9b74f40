import { MAX_CITATIONS } from '../recap.ts'
import type { LanguageRules } from '../../language/rules/language-rules.ts'
import type { PreparedMeeting, PreparedSegment } from './prepared-meeting.ts'
import { endsWithPronoun } from '../../language/readable.ts'
import { countWords, foldText, listContentWords, stopWordsOf } from '../../language/words.ts'

export type FoundStatement = {
  text: string
  /** What was said before, if `text` is not readable without it. */
  quoted?: string | undefined
  segmentIndexes: number[]
}

/** Shorter statements such as "It's decided." do not say what was decided. */
const MIN_STATEMENT_WORDS = 6
const CONFIRMATION_SEGMENTS = 3
const MIN_QUOTED_WORDS = 4
/** A short statement with so few content words needs the one before it. */
const FEW_CONTENT_WORDS = 1
/** A proposal must be agreed to within this many segments. */
const REPLY_SEGMENTS = 2

/** Finds statements that something is decided, and proposals that another speaker agrees to after "Agreed?". */
export function findDecisions(meeting: PreparedMeeting, rules: LanguageRules): FoundStatement[] {
  const { segments } = meeting
  const found = segments.flatMap((segment, segmentIndex): FoundStatement[] => {
    const { sentences } = segment
    const stated = sentences.filter(
      ({ folded, isQuestion }) => !isQuestion && rules.isDecision(folded),
    )
    const [first] = stated
    // Several such sentences in one turn state a single decision: "We take the second one. It's decided."
    if (first !== undefined) {
      const longest = stated.reduce((a, b) => (b.text.length > a.text.length ? b : a), first)
      return [{ text: withContext(longest.text, segment), segmentIndexes: [segmentIndex] }]
    }
    const asked = sentences.findIndex(({ folded }) => rules.agreementQuestion.test(folded))
    const proposal = sentences[asked - 1]
    if (proposal === undefined || proposal.isQuestion) return []
    const agreedIndex = findAgreement(segments, segmentIndex, rules)
    return agreedIndex === null
      ? []
      : [{ text: proposal.text, segmentIndexes: [segmentIndex, agreedIndex] }]
  })
  return mergeConfirmations(found).map((statement) => quoteTurnBefore(statement, meeting))
}

/** "Good, that's settled then." confirms a decision from an earlier turn. */
function mergeConfirmations(found: readonly FoundStatement[]): FoundStatement[] {
  const merged: FoundStatement[] = []
  let lastIndex = 0
  for (const statement of found) {
    const { text, segmentIndexes } = statement
    const earlier = merged.at(-1)
    const distance = (segmentIndexes[0] ?? 0) - lastIndex
    if (earlier !== undefined && distance <= CONFIRMATION_SEGMENTS && isShort(text)) {
      const free = MAX_CITATIONS - earlier.segmentIndexes.length
      earlier.segmentIndexes.push(...segmentIndexes.slice(0, free))
    } else merged.push(statement)
    lastIndex = segmentIndexes.at(-1) ?? lastIndex
  }
  return merged
}

function isShort(text: string): boolean {
  return text.split(' ').length < MIN_STATEMENT_WORDS
}

/** "It's decided." alone says nothing, so the previous sentence is added. */
function withContext(text: string, { sentences }: PreparedSegment): string {
  const index = sentences.findIndex((sentence) => sentence.text === text)
  const before = sentences[index - 1]
  return isShort(text) && before !== undefined && !before.isQuestion
    ? `${before.text} ${text}`
    : text
}

/** "Blue it is." is readable with what was said just before, by whomever. */
function quoteTurnBefore(
  statement: FoundStatement,
  { segments, language, people }: PreparedMeeting,
): FoundStatement {
  const { text, segmentIndexes } = statement
  const [first = 0] = segmentIndexes
  const words = listContentWords(text, stopWordsOf(language), people.isNameWord)
  const isUnclear = isShort(text)
    ? words.length <= FEW_CONTENT_WORDS
    : endsWithPronoun(text, language)
  if (!isUnclear) return statement
  const said = segments
    .slice(Math.max(0, first - CONFIRMATION_SEGMENTS), first)
    .flatMap(({ sentences }) => sentences)
    .findLast((sentence) => !sentence.isQuestion && countWords(sentence.text) >= MIN_QUOTED_WORDS)
  if (said === undefined) return statement
  const cited = [...segmentIndexes.slice(0, MAX_CITATIONS - 1), said.segmentIndex]
  return { text, quoted: said.text, segmentIndexes: cited }
}

function findAgreement(
  segments: readonly PreparedSegment[],
  proposedIndex: number,
  { acceptance, refusal }: LanguageRules,
): number | null {
  const proposer = segments[proposedIndex]?.speaker
  for (let index = proposedIndex + 1; index <= proposedIndex + REPLY_SEGMENTS; index += 1) {
    const segment = segments[index]
    if (segment === undefined || segment.speaker === proposer) continue
    const folded = foldText(segment.text.slice(0, 200))
    if (refusal.test(folded)) return null
    const agrees = acceptance.test(folded) || AGREEMENT.test(folded)
    return agrees ? index : null
  }
  return null
}

const AGREEMENT =
  /^(?:yes|yeah|agreed|happy|fine|works|ok|okay|sure|ja|einverstanden|passt|gut|oui|d'accord|ca me va|si|de acuerdo|conforme|vale|sim|fechado|combinado|concordo)\b/
