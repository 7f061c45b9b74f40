import type { InsightCategory } from '../coach.ts'
import { isQuestion } from '../text/sentences.ts'
import { displayName, quoteText } from '../text/display-text.ts'
import {
  excerptAt,
  splitEnglishSentences,
  hasCondition,
  isNegatedOrConditional,
  statementKey,
} from './english-patterns.ts'
import type { CoachRule } from './rule.ts'

type Statement = {
  category: InsightCategory
  title: string
  /** What the speaker did, for the insight text: "Ann named a risk". */
  verb: string
  /** A cheap first check: a segment that does not match contains no such statement. */
  hint: RegExp
  stated: readonly RegExp[]
  /** Whether a matching sentence is not such a statement after all. */
  isExcluded(sentence: string): boolean
}

/** A rule that records sentences that state something, and do not ask, doubt, deny or suppose it. */
export function createStatementRule(statement: Statement): CoachRule {
  const { category, title, verb, hint } = statement
  return {
    category,
    severity: 'info',
    kind: 'record',
    needsEnglish: true,
    find({ last }) {
      if (last === null || !hint.test(last.text)) return []
      const { speaker, number } = last
      return splitEnglishSentences(last.text)
        .map((sentence) => findStatement(sentence, statement))
        .filter((stated) => stated !== null)
        .slice(0, 3)
        .map((stated) => ({
          speaker,
          title,
          text: `${displayName(speaker)} ${verb}: ${quoteText(stated)}`,
          segmentNumbers: [number],
          // Without the speaker, so that the same statement of two speakers is reported once.
          key: statementKey('', stated),
        }))
    },
  }
}

function findStatement(sentence: string, { stated, isExcluded }: Statement): string | null {
  if (isQuestion(sentence) || isExcluded(sentence)) return null
  for (const pattern of stated) {
    const found = pattern.exec(sentence)
    if (found === null || isNegatedOrConditional(sentence.slice(0, found.index))) continue
    if (hasCondition(sentence.slice(found.index))) continue
    return excerptAt(sentence, found.index)
  }
  return null
}
