import { z } from 'zod'
import { shortenToOneLine } from '../../language/clean-text.ts'
import { createPeopleFinder } from '../../language/people.ts'
import {
  type Recap,
  type RecapAction,
  type RecapDecision,
  type RecapSegment,
  type RecapSource,
  type RecapStatement,
  type RecapSummarySentence,
  type RecapTopic,
  MAX_DUE_CHARS,
  MAX_ENTRIES,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
} from '../recap.ts'
import { createQuotationChecker, isAnyWordSaid } from './quotations.ts'
import type {
  ModelAction,
  ModelDecision,
  ModelStatement,
  ModelTopic,
  ParsedRecapAnswer,
} from './recap-answer.ts'

const CalendarDate = z.iso.date()

/** What a model said about a meeting or a part of it, after all quotations were checked. */
export type CheckedRecap = Pick<
  Recap,
  'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'
> & { title: string | null }

/** `isTranslated`: the model writes in another language than people spoke. */
export function createRecapAnswerChecker(source: RecapSource, isTranslated = false) {
  const quotations = createQuotationChecker(source.segments)
  const byNumber = new Map(source.segments.map((segment) => [segment.number, segment]))
  const people = createPeopleFinder([
    ...source.participants,
    ...source.segments.map(({ speaker }) => speaker),
  ])
  let dropped = 0

  const checkAll = <Entry extends ModelStatement, Checked>(
    entries: readonly Entry[],
    convert: (entry: Entry, cited: RecapSegment[]) => Checked,
  ): Checked[] =>
    entries.slice(0, MAX_ENTRIES).flatMap((entry) => {
      const cited = quotations.findCited(entry.segmentNumbers, entry.quote)
      if (cited === null) dropped += 1
      return cited === null ? [] : [convert(entry, cited)]
    })
  const toAction = (action: ModelAction, cited: RecapSegment[]): RecapAction => {
    const dueText = action.dueText?.trim() ?? ''
    const isDueSaid = quotations.isSaidIn(cited, dueText)
    const dueDate = CalendarDate.safeParse(action.dueDate).data ?? null
    return {
      ...toSentence(action, cited),
      owner: people.findByName(action.owner?.trim() ?? ''),
      dueText: isDueSaid ? shortenToOneLine(dueText, MAX_DUE_CHARS) : null,
      dueDate: isDueSaid ? dueDate : null,
    }
  }
  return {
    check: (answer: ParsedRecapAnswer) => {
      dropped += answer.invalidCount
      const titles = answer.title === null ? [] : [answer.title]
      const [checkedTitle = null] = checkAll(titles, ({ text }) =>
        shortenToOneLine(text, MAX_TITLE_CHARS),
      )
      return {
        title: checkedTitle,
        summary: checkAll(answer.summary, toSentence),
        decisions: checkAll(answer.decisions, toDecision),
        actions: checkAll(answer.actions, toAction),
        openQuestions: checkAll(answer.openQuestions, toStatement),
        topics: answer.topics.slice(0, MAX_ENTRIES).flatMap((topic) => {
          const checked = toTopic(topic, source.segments, byNumber, (said) =>
            isTranslated
              ? quotations.findCited(
                  said.map(({ number }) => number),
                  topic.quote ?? '',
                ) !== null
              : isAnyWordSaid(topic.title, said),
          )
          if (checked === null) dropped += 1
          return checked ?? []
        }),
      }
    },
    /** How many statements and topics were dropped so far, because the cited segments do not prove them. */
    droppedCount: () => dropped,
  }
}

/** Accepts what a model says about a meeting, as far as the transcript proves it. */
export type RecapAnswerChecker = ReturnType<typeof createRecapAnswerChecker>

function toSentence({ text }: ModelStatement, cited: RecapSegment[]): RecapSummarySentence {
  return {
    text: shortenToOneLine(text, MAX_TEXT_CHARS),
    segmentNumbers: cited.map(({ number }) => number),
  }
}

function toStatement(statement: ModelStatement, cited: RecapSegment[]): RecapStatement {
  const speaker = cited[0]?.speaker ?? ''
  return { ...toSentence(statement, cited), speaker: speaker === '' ? null : speaker }
}

function toDecision(decision: ModelDecision, cited: RecapSegment[]): RecapDecision {
  const reason = decision.reason?.trim() ?? ''
  return {
    ...toStatement(decision, cited),
    reason: reason === '' ? null : shortenToOneLine(reason, MAX_TEXT_CHARS),
  }
}

/** Null if the segments do not exist, or if they do not prove the topic. */
function toTopic(
  { title, firstSegmentNumber, lastSegmentNumber }: ModelTopic,
  segments: readonly RecapSegment[],
  byNumber: ReadonlyMap<number, RecapSegment>,
  isProven: (said: readonly RecapSegment[]) => boolean,
): RecapTopic | null {
  const [first, last] = [byNumber.get(firstSegmentNumber), byNumber.get(lastSegmentNumber)]
  if (first === undefined || last === undefined || last.endMs < first.startMs) return null
  const said = segments.slice(segments.indexOf(first), segments.indexOf(last) + 1)
  if (!isProven(said)) return null
  return {
    title: shortenToOneLine(title, MAX_TITLE_CHARS),
    startMs: first.startMs,
    endMs: last.endMs,
    firstSegmentNumber,
    lastSegmentNumber,
  }
}
