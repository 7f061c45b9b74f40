import type { FoundAction } from '../../language/find-actions.ts'
import type { LanguageRules } from '../../language/rules/language-rules.ts'
import { foldText } from '../../language/words.ts'
import { MAX_CITATIONS } from '../recap.ts'
import type { PreparedSegment } from './prepared-meeting.ts'

/** A task of the meeting, with what all turns say about it. */
export type MeetingAction = FoundAction & {
  /** What was said before, if `text` is not readable without it. */
  quoted?: string | undefined
  segmentIndex: number
  /** Other segments that accept or repeat it, up to the number that a recap cites. */
  furtherSegmentIndexes: number[]
  /** The last segment about it, even if it is not cited. */
  lastSegmentIndex: number
  /** The number of content words in `text` itself, without those from merged actions. */
  ownStemCount: number
}

/** A reply to a request comes within this many segments. */
const REPLY_SEGMENTS = 3
/** A promise within this many segments after a request or proposal may be about it. */
const NEAR_SEGMENTS = 4
/** How many of the latest tasks are compared with a promise that may be about one of them. */
const NEAR_ACTIONS = 4
/** How many of a person's latest tasks are compared with a new one. */
const MAX_KNOWN_OF_OWNER = 50
/** A short reply is about a request at most this many segments before it. */
const DIRECT_REPLY_SEGMENTS = 2
/** A text with at most this many content words is mostly pronouns: "I'll do that on Thursday". */
const FEW_STEMS = 2
/** A previous turn with fewer words does not say what "I'll do that" promises. */
const MIN_PROMPT_WORDS = 5
/** How many turns before "I'll do that" may say what it promises. */
const PROMPT_SEGMENTS = 2
/** Above this share of equal words, two texts are the same task, wherever they are said. */
const SAME_TASK_SHARE = 0.5

/** Follows each task: it is accepted, refused, promised after a request, or repeated later. */
export function mergeActions(
  found: readonly MeetingAction[],
  segments: readonly PreparedSegment[],
  rules: LanguageRules,
): MeetingAction[] {
  const merged: MeetingAction[] = []
  const lastOfOwner = new Map<string, MeetingAction[]>()
  for (const action of found) {
    const reply = action.ownerKind === 'addressed' ? findReply(action, segments, rules) : null
    if (reply?.kind === 'refused') continue
    const replied = reply === null ? action : acceptAction(action, reply)
    const earlier = findSameTask(replied, merged, lastOfOwner.get(replied.owner ?? '') ?? [])
    const kept = earlier === null ? replied : joinActions(earlier, replied)
    if (earlier === null) {
      const isUnclear = kept.ownerKind === 'speaker' && kept.stems.size === 0
      if (isUnclear && !quoteWhatIsPromised(kept, segments)) continue
      merged.push(kept)
    }
    const known = lastOfOwner.get(kept.owner ?? '') ?? []
    if (!known.includes(kept)) {
      lastOfOwner.set(kept.owner ?? '', [...known, kept].slice(-MAX_KNOWN_OF_OWNER))
    }
  }
  return merged
}

/**
 * "I'll do that" is shown with a quotation of the turn before, which says what. Returns false if neither that turn nor a due
 * date gives any information.
 */
function quoteWhatIsPromised(action: MeetingAction, segments: readonly PreparedSegment[]): boolean {
  const said = segments
    .slice(Math.max(0, action.segmentIndex - PROMPT_SEGMENTS), action.segmentIndex)
    .findLast(({ speaker }) => speaker !== action.owner)
    ?.sentences.findLast(({ text }) => text.split(' ').length >= MIN_PROMPT_WORDS)
  if (said === undefined) return action.dueDate !== null
  action.quoted = said.text
  addSegments(action, [said.segmentIndex])
  return true
}

type Reply = { kind: 'accepted' | 'refused'; segmentIndex: number; speaker: string }

/** The first reply of the addressed person, or of anyone if nobody was addressed. */
function findReply(
  action: MeetingAction,
  segments: readonly PreparedSegment[],
  { acceptance, refusal }: LanguageRules,
): Reply | null {
  const asker = segments[action.segmentIndex]?.speaker ?? ''
  for (let i = 1; i <= REPLY_SEGMENTS; i += 1) {
    const segmentIndex = action.segmentIndex + i
    const segment = segments[segmentIndex]
    if (segment === undefined) return null
    const { speaker } = segment
    if (speaker === asker || speaker === '') continue
    if (action.owner !== null && speaker !== action.owner) continue
    const folded = foldText(segment.text.slice(0, 300))
    if (refusal.test(folded)) return { kind: 'refused', segmentIndex, speaker }
    return acceptance.test(folded) ? { kind: 'accepted', segmentIndex, speaker } : null
  }
  return null
}

function acceptAction(action: MeetingAction, { segmentIndex, speaker }: Reply): MeetingAction {
  const accepted = { ...action, owner: action.owner ?? speaker }
  addSegments(accepted, [segmentIndex])
  return accepted
}

/** Returns the earlier action that this one accepts or repeats, or null. */
function findSameTask(
  action: MeetingAction,
  merged: readonly MeetingAction[],
  ofSameOwner: readonly MeetingAction[],
): MeetingAction | null {
  const near = merged
    .slice(-NEAR_ACTIONS)
    .findLast((earlier) => !hasOtherNumbers(earlier, action) && isContinuedBy(earlier, action))
  return (
    near ??
    ofSameOwner.findLast(
      (earlier) =>
        !hasOtherNumbers(earlier, action) &&
        (shareOfStems(earlier, action) > SAME_TASK_SHARE || isShortFormOf(earlier, action)),
    ) ??
    null
  )
}

/** "I'll run it today" and "Chloé will run the upgrade test today": one has only the verb, both have the same day. */
function isShortFormOf(a: MeetingAction, b: MeetingAction): boolean {
  const smaller = Math.min(a.stems.size, b.stems.size)
  return smaller === 1 && countShared(a, b) === 1 && a.dueDate !== null && a.dueDate === b.dueDate
}

function hasOtherNumbers(a: MeetingAction, b: MeetingAction): boolean {
  return a.numbers.size > 0 && b.numbers.size > 0 && a.numbers.isDisjointFrom(b.numbers)
}

function isContinuedBy(earlier: MeetingAction, action: MeetingAction): boolean {
  if (action.segmentIndex - earlier.lastSegmentIndex > NEAR_SEGMENTS) return false
  // Two tasks in one sentence are different tasks.
  if (action.segmentIndex === earlier.segmentIndex) return false
  const isOpen = earlier.owner === null || earlier.ownerKind !== 'speaker'
  const isSamePerson =
    earlier.owner === null || action.owner === null || earlier.owner === action.owner
  if (!isSamePerson) return false
  // "Ben will update the wiki" starts another task, even if short. "I'll send it today" continues the previous one.
  const hasNewWords = action.ownerKind !== 'speaker' && action.stems.size > 0
  const isShort =
    !hasNewWords &&
    (action.stems.size <= FEW_STEMS || earlier.stems.size <= FEW_STEMS) &&
    (earlier.owner === null || action.segmentIndex - earlier.segmentIndex <= DIRECT_REPLY_SEGMENTS)
  return (isOpen && isShort) || countShared(earlier, action) >= (isOpen ? 1 : 2)
}

function countShared(a: MeetingAction, b: MeetingAction): number {
  return a.stems.intersection(b.stems).size
}

function shareOfStems(a: MeetingAction, b: MeetingAction): number {
  const smaller = Math.min(a.stems.size, b.stems.size)
  return smaller < 2 ? 0 : countShared(a, b) / smaller
}

/** Cites further segments; if there are too many, the first ones. A task may be repeated all the time. */
function addSegments(action: MeetingAction, indexes: readonly number[]): void {
  const free = MAX_CITATIONS - 1 - action.furtherSegmentIndexes.length
  action.furtherSegmentIndexes = [...action.furtherSegmentIndexes, ...indexes.slice(0, free)]
  action.lastSegmentIndex = Math.max(action.lastSegmentIndex, ...indexes)
}

/** Updates the earlier action. Keeps the text with more content and the first owner, and takes the newest due date. */
function joinActions(earlier: MeetingAction, action: MeetingAction): MeetingAction {
  addSegments(earlier, [action.segmentIndex, ...action.furtherSegmentIndexes])
  if (action.stems.size > earlier.ownStemCount) {
    earlier.text = action.text
    earlier.quoted = action.quoted
    earlier.ownStemCount = action.stems.size
  }
  if (earlier.owner === null) {
    earlier.owner = action.owner
    earlier.ownerKind = action.ownerKind
  }
  if (action.dueDate !== null) {
    earlier.dueDate = action.dueDate
    earlier.dueText = action.dueText
  }
  earlier.stems = earlier.stems.union(action.stems)
  earlier.numbers = earlier.numbers.union(action.numbers)
  return earlier
}
