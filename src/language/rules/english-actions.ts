import { hasConditionWord, hasNegationOrConditionBeforeMatch } from './english-statements.ts'
import {
  isAssignedTask,
  isIngTask,
  isJointTask,
  isJointTaskPhrase,
  isPromisedTask,
  isTask,
  isTaskPhrase,
  isThirdPersonTask,
} from './english-tasks.ts'
import type { ActionForm } from './language-rules.ts'
import { WHO, byNamed, bySpeaker, IF_DUE, QUESTION, byAddressed, byNobody } from './verb-forms.ts'

/** Verbs after which "if" belongs to the task and is not a condition: "I'll check if the server is up". */
const INQUIRY =
  /\b(?:check|double-check|see|ask|verify|find|look|test|confirm|let|figure|investigate)\b/

const ADVERBS =
  '(?: (?:also|just|then|definitely|certainly|personally|quickly|gladly|happily|go ahead and|try to|try and|have to|need to|now)){0,3}'
const WILL = "(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)"

export const ENGLISH_ACTION_FORMS: readonly ActionForm[] = [
  byNamed(/\baction items?(?: for (?:(?<who>@+)|[a-z]{1,30}))?(?: is|:) (?:to )?(?=[a-z@])/dg, {
    isTask: (words) => !/^(?:not|none|done|there|nothing)\b/.test(words),
  }),
  bySpeaker(`\\bi${WILL}${ADVERBS} be (?=[a-z]+ing)`, { isTask: isIngTask }),
  bySpeaker(`\\bi${WILL}${ADVERBS} (?=[a-z])`, { isTask: isPromisedTask }),
  // "We will" often announces what comes next in the meeting, so fewer verbs are accepted.
  bySpeaker(`\\bwe${WILL}(?: (?:also|just|then|definitely)){0,2} (?=[a-z])`, {
    isTask: isJointTask,
  }),
  bySpeaker(/\b(?:i|we)(?: have| need|'ve got|'ve) to(?: also| just| still)? (?=[a-z])/g, {
    ...IF_DUE,
    isTask,
  }),
  bySpeaker(
    /\b(?:i'm|i am|i'd be|i would be) happy to (?=[a-z])|\bi promise to (?=[a-z])|\bmy (?:task|job) is to (?=[a-z])/g,
    { isTask },
  ),
  bySpeaker(/\bi can (?=[a-z])/g, { ...IF_DUE, isTask }),
  bySpeaker(/\byou(?:'ll| will) (?:get|have|receive) (?:[^\s,;]{1,20} ){1,8}?from me\b/g, IF_DUE),
  bySpeaker(/\blet me (?=[a-z])/g, { ...IF_DUE, isTask }),
  byNamed(`${WHO}(?:'ll| will|'s going to| is going to|'s gonna| is gonna)${ADVERBS} (?=[a-z])`, {
    isTask: isAssignedTask,
  }),
  byNamed(
    `${WHO} (?:has to|needs to|should|must|is supposed to|to|can|could)${ADVERBS} (?=[a-z])`,
    { isTask },
  ),
  // "I take Christmas and Tom takes New Year's"
  byNamed(`(?<=\\bi(?:'ll)? take .{1,100})${WHO} takes (?!over|care|on\\b)`),
  byNamed(
    `${WHO}(?: is|'s| will be) (?:responsible for|in charge of|taking care of|taking over|handling|looking after|on the hook for) `,
  ),
  byNamed(`${WHO} (?:takes care of|takes over|takes on|handles|looks after|owns) `),
  byNamed(`${WHO}(?: (?:agreed|promised|offered|volunteered) to|'s (?:job|task) is to) (?=[a-z])`, {
    isTask,
  }),
  byNamed(`\\blet(?:'s| us) have ${WHO} (?=[a-z])`, { isTask }),
  byNamed(`\\b(?:can|could) ${WHO}(?: (?:also|please|maybe|just)){0,2} (?=[a-z])`, {
    ...QUESTION,
    isTask,
  }),
  byNamed(`(?<=\\b(?:next steps?|to-?dos?|action items?)\\b.{0,200})${WHO} (?=[a-z]+s )`, {
    isTask: isThirdPersonTask,
  }),
  byNamed(`${WHO} (?=[a-z]+s )`, { ...IF_DUE, isTask: isThirdPersonTask }),
  byNamed(`\\b(?:is|are) due (?:[^\\s,;]{1,20} ){0,5}from ${WHO}`),
  byNamed(`\\b(?:i|we)(?:'ll)? (?:still )?need (?:[^\\s,;]{1,20} ){1,8}?from ${WHO}`),
  byAddressed(
    /\b(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one of you)(?: (?:guys|all|both|also|just|maybe|possibly|perhaps|quickly|please|kindly|then|be able to)){0,3} (?=[a-z])/g,
    {
      ...QUESTION,
      isTask: (words, match) =>
        isTask(words) || (/\bplease\b/.test(match + words) && isAssignedTask(words)),
    },
  ),
  byAddressed(/\bwould you(?: (?:both|all|please))? mind (?=[a-z]+ing)/g, {
    ...QUESTION,
    isTask: isIngTask,
  }),
  byAddressed(
    `@,? you(?:'ll| will| should| need to| have to)(?: also| then| please| have to| need to){0,2} (?=[a-z])`,
    { isTask: isAssignedTask },
  ),
  byAddressed(
    /(?:^|[,;:] |\b(?:and|so|then|also|but) )(?:please )?(?:make sure (?:to|you|that you)|don't forget to|remember to) (?=[a-z])|\bcan i ask you to (?=[a-z])/g,
    { ...QUESTION, isTask },
  ),
  byAddressed(/@, you're (?:on the hook for|responsible for|in charge of) /g),
  byAddressed(
    /(?:^|[,;:] |\b(?:and|so|then|also|but) )please(?: (?:also|just|then)){0,2} (?=[a-z])/g,
    { isTask: isAssignedTask },
  ),
  byAddressed(/(?:^|^(?:and|so|then|okay|ok|right|now),? )@+, (?:then |also |just )?(?=[a-z])/g, {
    isTask: isTaskPhrase,
  }),
  byNobody(
    /\b(?:someone|somebody)(?: has to| needs to| should| must|'ll have to) (?:also )?(?=[a-z])/g,
    { isTask },
  ),
  byNobody(/\blet(?:'s| us)(?: (?:also|just|then|all|please|definitely)){0,2} (?=[a-z])/g, {
    isTask: (words) => isJointTaskPhrase(words) || /^put (?:up )?(?:a|the) .*\bby\b/.test(words),
  }),
]

/** True if the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
export function isEnglishTaskRuledOut(before: string, matchAndAfter: string): boolean {
  return (
    hasNegationOrConditionBeforeMatch(before) ||
    /\b(?:would have|could have|not|don't(?! forget)|never)\b/.test(matchAndAfter.slice(0, 30)) ||
    (hasConditionWord(matchAndAfter) && !INQUIRY.test(matchAndAfter))
  )
}
