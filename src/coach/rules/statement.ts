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
  /** After the speaker's name. */
  says: string
  /** Most segments hold none of these, and are not looked at further. */
  hint: RegExp
  stated: readonly RegExp[]
  /** Sentences that sound so and are none. */
  isNone(sentence: string): boolean
}

/** A record of sentences in which somebody states something outright: not asked, doubted, denied or supposed. */
export function createStatementRule(statement: Statement): CoachRule {
  const { category, title, says, hint } = statement
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
          text: `${displayName(speaker)} ${says}: ${quoteText(stated)}`,
          segmentNumbers: [number],
          // Two people who say the same state one thing.
          key: statementKey('', stated),
        }))
    },
  }
}

function findStatement(sentence: string, { stated, isNone }: Statement): string | null {
  if (isQuestion(sentence) || isNone(sentence)) return null
  for (const pattern of stated) {
    const found = pattern.exec(sentence)
    if (found === null || isNegatedOrConditional(sentence.slice(0, found.index))) continue
    if (hasCondition(sentence.slice(found.index))) continue
    return excerptAt(sentence, found.index)
  }
  return null
}
