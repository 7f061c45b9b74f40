import { findDueDate } from '../../language/due-date.ts'
import type { ActionContext, FoundAction } from '../../language/find-actions.ts'
import { countPronouns, needsContext, toReadableSentence } from '../../language/readable.ts'
import { listContentWords } from '../../language/words.ts'
import type { FoundStatement } from '../rules/decisions.ts'
import type { MeetingAction } from '../rules/merge-actions.ts'
import type {
  PreparedMeeting,
  PreparedSegment,
  SegmentSentence,
} from '../rules/prepared-meeting.ts'
import { MIN_TRAINED_WORDS, minScoreOf, pickSentences, type ScoredSentence } from './scores.ts'
import { countWords } from '../../language/words.ts'

/**
 * Combines what the rules find with what the trained weights find. In spontaneous speech most sentences that have the
 * form of a task or a decision are neither, so such a sentence needs some support by the weights, too.
 */

/** In a short meeting hardly any sentence has the form of a task by chance. */
const FEW_SENTENCES = 150
/** The score that a task or decision of the rules needs in a longer meeting. */
const MIN_SUPPORT = { action: 0.08, decision: 0.5 }
/** Entries that only the weights find are at least this many segments apart. */
const DISTANCE = 6
const MAX_TRAINED = 15
/** A sentence with more pronouns is not understandable alone. */
const MAX_PRONOUNS = 1
/** Whoever says these words states a decision, whatever the sentence is about. */
const CERTAIN_DECISION = /\b(?:decided|agreed|settled|decision)\b/i
/** The form of what only the weights find. They were trained on one kind of meeting, and other kinds need more care. */
const FORMS = {
  action:
    /\b(?:will|shall|gonna|going to|needs? to|ha(?:ve|s) to|got to|should|must|can|could|supposed to|let's|let us|please)\b|'ll\b/,
  decision: /\b(?:we|we'll|we're|let's|it'll|it's|gonna|will)\b/,
}
const NOT_AGREED =
  /\b(?:maybe|perhaps|might|guess|if|was|were|did|had|been|(?:have|has|'ve) (?:[a-z]+ )?(?:[a-z]+ed|made|put|given|taken|done|said))\b/
const OWN_PROMISE =
  /\b(?:i'll|i will|i'm gonna|i'm going to|i can|i've got to|i have to|i need to|let me)\b/

export function toMeetingAction(action: FoundAction, segmentIndex: number): MeetingAction {
  return {
    ...action,
    segmentIndex,
    furtherSegmentIndexes: [],
    lastSegmentIndex: segmentIndex,
    ownStemCount: action.stems.size,
  }
}

export function chooseActions(
  ruled: readonly MeetingAction[],
  scored: readonly ScoredSentence[],
  { segments }: PreparedMeeting,
  context: ActionContext,
): MeetingAction[] {
  const isSupported = createSupportTest(scored, 'action')
  const kept = ruled.filter((action) => {
    const speaker = segments[action.segmentIndex]?.speaker
    const isForOther =
      action.ownerKind !== 'speaker' && action.owner !== null && action.owner !== speaker
    return (
      isForOther ||
      action.dueDate !== null ||
      isSupported([action.segmentIndex, ...action.furtherSegmentIndexes])
    )
  })
  const trained = pickTrained(
    scored,
    'action',
    kept.map(({ segmentIndex, text }) => ({ text, segmentIndexes: [segmentIndex] })),
  )
  const added = trained.map((sentence) =>
    toMeetingAction(toAction(sentence, segments, context), sentence.segmentIndex),
  )
  return [...kept, ...added].toSorted((a, b) => a.segmentIndex - b.segmentIndex)
}

export function chooseDecisions(
  ruled: readonly FoundStatement[],
  scored: readonly ScoredSentence[],
): FoundStatement[] {
  const isSupported = createSupportTest(scored, 'decision')
  const kept = ruled.filter(
    ({ text, segmentIndexes }) => CERTAIN_DECISION.test(text) || isSupported(segmentIndexes),
  )
  const trained = pickTrained(scored, 'decision', kept)
  const added = trained.map(({ text, segmentIndex }) => ({ text, segmentIndexes: [segmentIndex] }))
  return [...kept, ...added].toSorted(
    (a, b) => (a.segmentIndexes[0] ?? 0) - (b.segmentIndexes[0] ?? 0),
  )
}

function createSupportTest(scored: readonly ScoredSentence[], kind: 'action' | 'decision') {
  if (scored.length <= FEW_SENTENCES) return () => true
  const highest = new Map<number, number>()
  for (const { sentence, score } of scored) {
    highest.set(
      sentence.segmentIndex,
      Math.max(score[kind], highest.get(sentence.segmentIndex) ?? 0),
    )
  }
  return (segmentIndexes: readonly number[]) =>
    segmentIndexes.some((index) => (highest.get(index) ?? 0) >= MIN_SUPPORT[kind])
}

/** Sentences with a high score that are neither near those of the rules nor repeat them. */
function pickTrained(
  scored: readonly ScoredSentence[],
  kind: 'action' | 'decision',
  ruled: readonly FoundStatement[],
): SegmentSentence[] {
  const near = new Set(ruled.flatMap(({ segmentIndexes }) => segmentIndexes.flatMap(listNear)))
  const seen = new Set(ruled.map(({ text }) => text))
  const candidates = scored.flatMap(({ sentence, score }) => {
    const { text, folded, isQuestion, segmentIndex } = sentence
    if (isQuestion || countWords(text) < MIN_TRAINED_WORDS) return []
    if (!FORMS[kind].test(folded) || NOT_AGREED.test(folded)) return []
    const readable = toReadableSentence(text, 'en')
    if (needsContext(readable, 'en') || countPronouns(readable, 'en') > MAX_PRONOUNS) return []
    if (near.has(segmentIndex) || seen.has(text)) return []
    seen.add(text)
    return [{ sentence, score: score[kind] }]
  })
  return pickSentences(candidates, {
    minScore: minScoreOf(kind),
    distance: DISTANCE,
    max: MAX_TRAINED,
  })
}

function listNear(segmentIndex: number): number[] {
  return Array.from({ length: 2 * DISTANCE + 1 }, (_, step) => segmentIndex + step - DISTANCE)
}

function toAction(
  sentence: SegmentSentence,
  segments: readonly PreparedSegment[],
  { rules, today, stopWords, isNameWord }: ActionContext,
): FoundAction {
  const { text, folded, mentions, segmentIndex } = sentence
  const speaker = segments[segmentIndex]?.speaker ?? ''
  const due = findDueDate(folded, rules.dates, today)
  const isOwn = OWN_PROMISE.test(folded) && speaker !== ''
  return {
    text,
    owner: isOwn ? speaker : (mentions[0]?.person ?? null),
    ownerKind: isOwn ? 'speaker' : 'named',
    dueText: due === null ? null : text.slice(due.start, due.end).trim(),
    dueDate: due?.date ?? null,
    stems: new Set(listContentWords(text, stopWords, isNameWord).map(({ stem }) => stem)),
    numbers: new Set(text.match(/\p{N}+/gu)),
  }
}
