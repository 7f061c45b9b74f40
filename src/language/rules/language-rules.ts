import type { DateLanguage } from '../due-date.ts'

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
  /** Matches masked text. Flags: `g`, and `d` for a group `who`. The task follows the match or is part of it. */
  pattern: RegExp
  owner: TaskOwner
  /** True if a question can have this form. */
  canBeQuestion?: boolean
  /** True if the sentence is a task only if it names a due date. */
  needsDueDate?: boolean
  /** True if the folded words after the match name a task. Without this function, every match is a task. */
  isTask?(words: string, match: string): boolean
}

/** How a language expresses what the recap lists. Patterns match folded text; in "masked" text, names are `@`. */
export type LanguageRules = {
  actionForms: readonly ActionForm[]
  /** True if the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
  isRuledOut(before: string, matchAndAfter: string): boolean
  /** True if a sentence states a decision that is being made. */
  isDecision(folded: string): boolean
  /** Matches a whole sentence such as "Agreed?" that asks if the previous statement is decided. */
  agreementQuestion: RegExp
  /** Matches a whole sentence such as "I'll do that", which does not say what is promised. */
  volunteering: RegExp
  /** Matches the beginning of a reply that accepts a request. */
  acceptance: RegExp
  /** Matches a reply that refuses a request. */
  refusal: RegExp
  /** Matches a statement that something is still unknown or has to be clarified. */
  openPoint: RegExp
  /** Matches a reply that does not answer the question. */
  nonAnswer: RegExp
  /** Matches the beginning of a turn that changes the topic. */
  topicChange: RegExp
  /** Matches questions that are polite or about the meeting itself. */
  socialQuestion: RegExp
  /** Matches greetings, thanks and remarks about the call, which do not belong in a summary. */
  smallTalk: RegExp
  dates: DateLanguage
}

/** Creates a test for sentences: true if one of the patterns in `stated` matches and `ruledOut` does not. */
export function createStatementTest(
  stated: readonly RegExp[],
  ruledOut: RegExp,
): (folded: string) => boolean {
  return (folded) => stated.some((pattern) => pattern.test(folded)) && !ruledOut.test(folded)
}
