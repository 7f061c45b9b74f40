import type { InsightCategory } from '../coach.ts'
import { isQuestion } from '../text/sentences.ts'
import { formatSpeakerName, quoteText } from '../text/display-text.ts'
import {
  excerptSentenceFromMatch,
  splitEnglishSentences,
  hasConditionWord,
  hasNegationOrConditionBeforeMatch,
  toStatementKey,
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
  /** Whether a sentence is no such statement, even if it matches one of the patterns in `stated`. */
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
          text: `${formatSpeakerName(speaker)} ${verb}: ${quoteText(stated)}`,
          segmentNumbers: [number],
          // The key leaves out the speaker, so that the same statement of two speakers is reported once.
          key: toStatementKey('', stated),
        }))
    },
  }
}

/** The part of an English sentence that states something, or null. */
export function findStatement(
  sentence: string,
  { stated, isExcluded }: Pick<Statement, 'stated' | 'isExcluded'>,
): string | null {
  if (isQuestion(sentence) || isExcluded(sentence)) return null
  for (const pattern of stated) {
    const found = pattern.exec(sentence)
    if (found === null || hasNegationOrConditionBeforeMatch(sentence.slice(0, found.index)))
      continue
    if (hasConditionWord(sentence.slice(found.index))) continue
    return excerptSentenceFromMatch(sentence, found.index)
  }
  return null
}
