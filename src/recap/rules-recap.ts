import { shortenToOneLine } from '../language/clean-text.ts'
import {
  type Recap,
  type RecapAction,
  type RecapSource,
  type RecapStatement,
  MAX_CITATIONS,
  MAX_DUE_CHARS,
  MAX_ENTRIES,
  MAX_TEXT_CHARS,
} from './recap.ts'
import { findDecisions, type FoundStatement } from './rules/decisions.ts'
import { toCalendarDay } from '../language/due-date.ts'
import { findActionsInSentence, type ActionContext } from '../language/find-actions.ts'
import { findTopics } from './rules/find-topics.ts'
import type { LanguageRules } from '../language/rules/language-rules.ts'
import { stopWordsOf } from '../language/words.ts'
import { mergeActions, type MeetingAction } from './rules/merge-actions.ts'
import { findOpenQuestions } from './rules/open-questions.ts'
import { summarize } from './rules/summarize.ts'
import {
  prepareMeeting,
  type PreparedMeeting,
  type SegmentSentence,
} from './rules/prepared-meeting.ts'
import { chooseActions, chooseDecisions, toMeetingAction } from './trained/choose-statements.ts'
import { scoreSentences, type ScoredSentence } from './trained/scores.ts'
import { toReadableSentence } from '../language/readable.ts'

/**
 * Makes a recap without a language model. Deterministic: the same meeting gives the same recap. If there are no rules
 * for the language, the recap has only a summary and topics.
 */
export function createRulesRecap(source: RecapSource): Recap {
  const meeting = prepareMeeting(source)
  const { language, rules, coverage } = meeting
  const scored = scoreSentences(meeting)
  const statements =
    rules === null
      ? { decisions: [], actions: [], openQuestions: [] }
      : findStatements(meeting, rules, source, scored)
  const results = new Set([
    ...statements.decisions.flatMap(({ segmentIndexes }) => segmentIndexes),
    ...statements.actions.map(({ segmentIndex }) => segmentIndex),
  ])
  const toNumbers = (indexes: readonly number[]) => numbersOf(meeting, indexes)
  const summaryScores =
    scored && new Map(scored.map(({ sentence, score }) => [sentence, score.summary]))
  const scoreOf = summaryScores && ((sentence: SegmentSentence) => summaryScores.get(sentence) ?? 0)
  return {
    language,
    method: 'rules',
    summary: summarize(meeting, (index) => results.has(index), scoreOf).map(
      ({ text, segmentIndex }) => ({
        text: toText({ text }, language),
        segmentNumbers: toNumbers([segmentIndex]),
      }),
    ),
    decisions: toStatements(meeting, statements.decisions),
    actions: statements.actions
      .slice(0, MAX_ENTRIES)
      .map((action) => toRecapAction(meeting, action)),
    openQuestions: toStatements(meeting, statements.openQuestions),
    topics: findTopics(meeting),
    coverage,
  }
}

/** The words of an entry, after those that say what it is about. */
function toText(
  { text, quoted }: { text: string; quoted?: string | undefined },
  language: string | null,
): string {
  const texts = quoted === undefined ? [text] : [quoted, text]
  const readable = texts.map((part) => toReadableSentence(part, language)).join(' – ')
  return shortenToOneLine(readable, MAX_TEXT_CHARS)
}

function findStatements(
  meeting: PreparedMeeting,
  rules: LanguageRules,
  source: RecapSource,
  scored: readonly ScoredSentence[] | null,
) {
  const { segments, language, people } = meeting
  const context: ActionContext = {
    rules,
    today: toCalendarDay(source.startedAt, source.timeZone),
    stopWords: stopWordsOf(language),
    isNameWord: people.isNameWord,
  }
  const decisions = findDecisions(meeting, rules)
  const decided = new Set(decisions.map(({ text }) => text))
  const found = segments.flatMap((turn, segmentIndex) =>
    turn.sentences.flatMap((sentence) =>
      findActionsInSentence(sentence, turn, context)
        // "We'll go with the blue one" is a decision and not a task for the speaker.
        .filter(({ ownerKind }) => ownerKind === 'named' || !decided.has(sentence.text))
        .map((action) => toMeetingAction(action, segmentIndex)),
    ),
  )
  const actions = mergeActions(found, segments, rules)
  return {
    decisions: scored === null ? decisions : chooseDecisions(decisions, scored),
    actions: scored === null ? actions : chooseActions(actions, scored, meeting, context),
    openQuestions: findOpenQuestions(meeting, rules),
  }
}

function toStatements(
  meeting: PreparedMeeting,
  found: readonly FoundStatement[],
): RecapStatement[] {
  return found.slice(0, MAX_ENTRIES).map((statement) => {
    const { segmentIndexes } = statement
    const speaker = meeting.segments[segmentIndexes[0] ?? -1]?.speaker ?? ''
    return {
      text: toText(statement, meeting.language),
      speaker: speaker === '' ? null : speaker,
      segmentNumbers: numbersOf(meeting, segmentIndexes),
    }
  })
}

function toRecapAction(meeting: PreparedMeeting, action: MeetingAction): RecapAction {
  const { owner, dueText, dueDate, segmentIndex, furtherSegmentIndexes } = action
  return {
    text: toText(action, meeting.language),
    owner,
    dueText: dueText === null ? null : shortenToOneLine(dueText, MAX_DUE_CHARS),
    dueDate,
    segmentNumbers: numbersOf(meeting, [segmentIndex, ...furtherSegmentIndexes]),
  }
}

function numbersOf({ segments }: PreparedMeeting, indexes: readonly number[]): number[] {
  return [...new Set(indexes)]
    .toSorted((a, b) => a - b)
    .slice(0, MAX_CITATIONS)
    .map((index) => segments[index]?.number)
    .filter((number) => number !== undefined)
}
