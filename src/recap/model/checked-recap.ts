import { z } from 'zod'
import { shortenToOneLine } from '../../coach/text/display-text.ts'
import type {
  Recap,
  RecapAction,
  RecapSegment,
  RecapSource,
  RecapStatement,
  RecapSummarySentence,
  RecapTopic,
} from '../recap.ts'
import { MAX_DUE_CHARS, MAX_ENTRIES, MAX_TEXT_CHARS } from '../recap-limits.ts'
import { createPeopleFinder } from '../rules/text/people.ts'
import type { ModelAction, ModelStatement, ModelTopic, ParsedRecapAnswer } from './model-answer.ts'
import { createQuotationChecker, isAnyWordSaid } from './quotations.ts'

const MAX_TITLE_CHARS = 80
const CalendarDate = z.iso.date()

/** What a model said about a meeting or a part of it, after every quotation was checked. */
export type CheckedRecap = Pick<
  Recap,
  'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'
>

/** Takes over what a model says about a meeting, as far as the transcript proves it. */
export interface RecapAnswerChecker {
  check(answer: ParsedRecapAnswer): CheckedRecap
  /** Statements and topics that were dropped so far, because the segments they cite do not prove them. */
  droppedCount(): number
}

export function createRecapAnswerChecker(source: RecapSource): RecapAnswerChecker {
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
    check: (answer) => {
      dropped += answer.invalidCount
      return {
        summary: checkAll(answer.summary, toSentence),
        decisions: checkAll(answer.decisions, toStatement),
        actions: checkAll(answer.actions, toAction),
        openQuestions: checkAll(answer.openQuestions, toStatement),
        topics: answer.topics.slice(0, MAX_ENTRIES).flatMap((topic) => {
          const checked = toTopic(topic, source.segments, byNumber)
          if (checked === null) dropped += 1
          return checked ?? []
        }),
      }
    },
    droppedCount: () => dropped,
  }
}

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

/** A topic has no quotation, so at least one word of its title must have been said in it; null if none was. */
function toTopic(
  { title, firstSegmentNumber, lastSegmentNumber }: ModelTopic,
  segments: readonly RecapSegment[],
  byNumber: ReadonlyMap<number, RecapSegment>,
): RecapTopic | null {
  const [first, last] = [byNumber.get(firstSegmentNumber), byNumber.get(lastSegmentNumber)]
  if (first === undefined || last === undefined || last.endMs < first.startMs) return null
  const said = segments.slice(segments.indexOf(first), segments.indexOf(last) + 1)
  if (!isAnyWordSaid(title, said)) return null
  return {
    title: shortenToOneLine(title, MAX_TITLE_CHARS),
    startMs: first.startMs,
    endMs: last.endMs,
    firstSegmentNumber,
    lastSegmentNumber,
  }
}
