import { formatDay } from '../../lib/time/day-text.ts'
import { removeDirectionMarks, toPlainLine } from '../../lib/text/plain-text.ts'
import type { ListedAction } from '../store/list-actions.ts'
import type { StatementOfMeeting } from '../store/search-statements.ts'
import type { Digest, DigestMeeting } from './collect-digest.ts'

/** A line of a digest. All texts are plain, and may contain whatever people said or wrote. */
export type DigestItem = {
  text: string
  /** Facts about it, such as who does it. */
  notes: string[]
  meetingId: string
  /** The meeting in which it was said. Null if the item is the meeting. */
  meetingTitle: string | null
  /** The first line that says it. Null for a meeting. */
  line: number | null
}

export type DigestSection = {
  heading: string
  items: DigestItem[]
  /** How many more items there are, which the digest leaves out. */
  others: number
}

type Reading = {
  /** The day on which it is read, such as `2026-11-19`, to say what is overdue. */
  day: string
  /** In which times of meetings are shown. */
  timeZone: string
}

/** A longer digest is not read, and mail programs cut it. */
const MAX_ITEMS = { meetings: 20, own: 20, decisions: 20, others: 10, questions: 10 } as const
const MAX_TITLE_CHARS = 120
const MAX_TEXT_CHARS = 400

/** The parts of a digest in the order in which a person needs them, without empty ones. */
export function listDigestSections(digest: Digest, { day, timeZone }: Reading): DigestSection[] {
  const { meetings, ownActions, otherActions, decisions, openQuestions } = digest
  const toAction = (action: ListedAction) => toActionItem(action, day)
  const others = ownActions.length === 0 ? 'Action items' : 'Action items of others'
  const sections = [
    cutSection('Your action items', ownActions, MAX_ITEMS.own, (action) =>
      toAction({ ...action, owner: null }),
    ),
    cutSection('Meetings', meetings, MAX_ITEMS.meetings, (meeting) =>
      toMeetingItem(meeting, timeZone),
    ),
    cutSection('Decisions', decisions, MAX_ITEMS.decisions, toStatementItem),
    cutSection(others, otherActions, MAX_ITEMS.others, toAction),
    cutSection('Open questions', openQuestions, MAX_ITEMS.questions, toStatementItem),
  ]
  return sections.filter(({ items }) => items.length > 0)
}

function cutSection<Entry>(
  heading: string,
  entries: readonly Entry[],
  limit: number,
  toItem: (entry: Entry) => DigestItem,
): DigestSection {
  const shown = entries.slice(0, limit)
  return {
    heading,
    items: shown.map((entry) => toItem(entry)),
    others: entries.length - shown.length,
  }
}

function toMeetingItem(
  { meetingId, title, startedAt, gist }: DigestMeeting,
  timeZone: string,
): DigestItem {
  const start = startedAt.toLocaleString('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  const notes = [start, ...(gist === null ? [] : [cleanText(gist)])]
  return { text: cleanTitle(title), notes, meetingId, meetingTitle: null, line: null }
}

function toActionItem(action: ListedAction, day: string): DigestItem {
  const { text, owner, dueDate, dueText, meetingId, meetingTitle, segmentNumbers } = action
  const due = dueDate === null ? dueText : describeDueDate(dueDate, day)
  return {
    text: cleanText(text),
    notes: [...(owner === null ? [] : [owner]), ...(due === null ? [] : [due])].map(cleanText),
    meetingId,
    meetingTitle: cleanTitle(meetingTitle),
    line: segmentNumbers[0] ?? null,
  }
}

function describeDueDate(dueDate: string, day: string): string {
  if (dueDate === day) return 'due today'
  return `${dueDate < day ? 'overdue since' : 'due'} ${formatDay(dueDate)}`
}

function toStatementItem(statement: StatementOfMeeting): DigestItem {
  const { text, person, meetingId, meetingTitle, segmentNumbers } = statement
  return {
    text: cleanText(text),
    notes: person === null ? [] : [cleanText(person)],
    meetingId,
    meetingTitle: cleanTitle(meetingTitle),
    line: segmentNumbers[0] ?? null,
  }
}

function cleanText(text: string): string {
  return toPlainLine(text, MAX_TEXT_CHARS)
}

/** Marks that reverse the direction of text would also reverse what follows the title. */
function cleanTitle(title: string): string {
  return toPlainLine(removeDirectionMarks(title), MAX_TITLE_CHARS)
}
