import type { DateLanguage } from '../dates/due-date.ts'

/**
 * Whose task it is:
 * - `speaker`: "I will …"
 * - `named`: the name in group `who`
 * - `addressed`: the person whom the sentence addresses, or who accepts it in one of the next turns
 * - `nobody`: "let's …", "somebody has to …"
 */
export type TaskOwner = 'speaker' | 'named' | 'addressed' | 'nobody'

/** One way to promise, ask for or assign a task. */
export type ActionForm = {
  /** Matches masked text, with the flags `g` and, for a group `who`, `d`. The task follows the match or is part of it. */
  pattern: RegExp
  owner: TaskOwner
  /** Whether a question can have this form. */
  canBeQuestion?: boolean
  /** Whether the sentence is a task only if it names a due date. */
  needsDueDate?: boolean
  /** Whether the folded words after the match name a task. Without it every match is one. */
  isTask?(words: string): boolean
}

/** How a language expresses what the recap lists. All patterns match folded text; those marked "masked" have names as `@`. */
export type LanguageRules = {
  actionForms: readonly ActionForm[]
  /** Whether the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
  isRuledOut(before: string, matchAndAfter: string): boolean
  /** Whether a sentence states a decision that is taken now. */
  isDecision(folded: string): boolean
  /** Matches a whole sentence such as "Agreed?" that asks whether what was said before is decided. */
  agreementQuestion: RegExp
  /** Matches a whole sentence such as "I'll do that", which does not say itself what is promised. */
  volunteering: RegExp
  /** Matches the beginning of a reply that accepts a request. */
  acceptance: RegExp
  /** Matches a reply that refuses a request. */
  refusal: RegExp
  /** Matches a statement that something is not known yet or has to be clarified. */
  openPoint: RegExp
  /** Matches a reply that does not answer a question. */
  nonAnswer: RegExp
  /** Matches the beginning of a turn that changes the topic. */
  topicChange: RegExp
  /** Matches questions about the meeting itself or out of politeness. */
  socialQuestion: RegExp
  /** Matches greetings, thanks and remarks about the call, which never belong in a summary. */
  smallTalk: RegExp
  dates: DateLanguage
}

/** A pattern of whole sentences that state something, and one that rules sentences out. */
export function createStatementTest(
  stated: readonly RegExp[],
  ruledOut: RegExp,
): (folded: string) => boolean {
  return (folded) => stated.some((pattern) => pattern.test(folded)) && !ruledOut.test(folded)
}
