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
import { globalPattern, WHO } from './verb-forms.ts'

/** Verbs after which "if" belongs to the task and is not a condition: "I'll check if the server is up". */
const INQUIRY =
  /\b(?:check|double-check|see|ask|verify|find|look|test|confirm|let|figure|investigate)\b/

const ADVERBS =
  '(?: (?:also|just|then|definitely|certainly|personally|quickly|gladly|happily|go ahead and|try to|try and|have to|need to|now)){0,3}'
const WILL = "(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)"

export const ENGLISH_ACTION_FORMS: readonly ActionForm[] = [
  {
    pattern: /\baction items?(?: for (?:(?<who>@+)|[a-z]{1,30}))?(?: is|:) (?:to )?(?=[a-z@])/dg,
    owner: 'named',
    isTask: (words) => !/^(?:not|none|done|there|nothing)\b/.test(words),
  },
  {
    pattern: globalPattern(`\\bi${WILL}${ADVERBS} be (?=[a-z]+ing)`),
    owner: 'speaker',
    isTask: isIngTask,
  },
  {
    pattern: globalPattern(`\\bi${WILL}${ADVERBS} (?=[a-z])`),
    owner: 'speaker',
    isTask: isPromisedTask,
  },
  // "We will" often announces what comes next in the meeting, so fewer verbs are accepted.
  {
    pattern: globalPattern(`\\bwe${WILL}(?: (?:also|just|then|definitely)){0,2} (?=[a-z])`),
    owner: 'speaker',
    isTask: isJointTask,
  },
  {
    pattern: /\b(?:i|we)(?: have| need|'ve got|'ve) to(?: also| just| still)? (?=[a-z])/g,
    owner: 'speaker',
    needsDueDate: true,
    isTask,
  },
  {
    pattern:
      /\b(?:i'm|i am|i'd be|i would be) happy to (?=[a-z])|\bi promise to (?=[a-z])|\bmy (?:task|job) is to (?=[a-z])/g,
    owner: 'speaker',
    isTask,
  },
  { pattern: /\bi can (?=[a-z])/g, owner: 'speaker', needsDueDate: true, isTask },
  {
    pattern: /\byou(?:'ll| will) (?:get|have|receive) (?:[^\s,;]{1,20} ){1,8}?from me\b/g,
    owner: 'speaker',
    needsDueDate: true,
  },
  { pattern: /\blet me (?=[a-z])/g, owner: 'speaker', needsDueDate: true, isTask },
  {
    pattern: globalPattern(
      `${WHO}(?:'ll| will|'s going to| is going to|'s gonna| is gonna)${ADVERBS} (?=[a-z])`,
    ),
    owner: 'named',
    isTask: isAssignedTask,
  },
  {
    pattern: globalPattern(
      `${WHO} (?:has to|needs to|should|must|is supposed to|to|can|could)${ADVERBS} (?=[a-z])`,
    ),
    owner: 'named',
    isTask,
  },
  // "I take Christmas and Tom takes New Year's"
  {
    pattern: globalPattern(`(?<=\\bi(?:'ll)? take .{1,100})${WHO} takes (?!over|care|on\\b)`),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `${WHO}(?: is|'s| will be) (?:responsible for|in charge of|taking care of|taking over|handling|looking after|on the hook for) `,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `${WHO} (?:takes care of|takes over|takes on|handles|looks after|owns) `,
    ),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `${WHO}(?: (?:agreed|promised|offered|volunteered) to|'s (?:job|task) is to) (?=[a-z])`,
    ),
    owner: 'named',
    isTask,
  },
  { pattern: globalPattern(`\\blet(?:'s| us) have ${WHO} (?=[a-z])`), owner: 'named', isTask },
  {
    pattern: globalPattern(`\\b(?:can|could) ${WHO}(?: (?:also|please|maybe|just)){0,2} (?=[a-z])`),
    owner: 'named',
    canBeQuestion: true,
    isTask,
  },
  {
    pattern: globalPattern(
      `(?<=\\b(?:next steps?|to-?dos?|action items?)\\b.{0,200})${WHO} (?=[a-z]+s )`,
    ),
    owner: 'named',
    isTask: isThirdPersonTask,
  },
  {
    pattern: globalPattern(`${WHO} (?=[a-z]+s )`),
    owner: 'named',
    needsDueDate: true,
    isTask: isThirdPersonTask,
  },
  {
    pattern: globalPattern(`\\b(?:is|are) due (?:[^\\s,;]{1,20} ){0,5}from ${WHO}`),
    owner: 'named',
  },
  {
    pattern: globalPattern(
      `\\b(?:i|we)(?:'ll)? (?:still )?need (?:[^\\s,;]{1,20} ){1,8}?from ${WHO}`,
    ),
    owner: 'named',
  },
  {
    pattern:
      /\b(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one of you)(?: (?:guys|all|both|also|just|maybe|possibly|perhaps|quickly|please|kindly|then|be able to)){0,3} (?=[a-z])/g,
    owner: 'addressed',
    canBeQuestion: true,
    isTask: (words, match) =>
      isTask(words) || (/\bplease\b/.test(match + words) && isAssignedTask(words)),
  },
  {
    pattern: /\bwould you(?: (?:both|all|please))? mind (?=[a-z]+ing)/g,
    owner: 'addressed',
    canBeQuestion: true,
    isTask: isIngTask,
  },
  {
    pattern: globalPattern(
      `@,? you(?:'ll| will| should| need to| have to)(?: also| then| please| have to| need to){0,2} (?=[a-z])`,
    ),
    owner: 'addressed',
    isTask: isAssignedTask,
  },
  {
    pattern:
      /(?:^|[,;:] |\b(?:and|so|then|also|but) )(?:please )?(?:make sure (?:to|you|that you)|don't forget to|remember to) (?=[a-z])|\bcan i ask you to (?=[a-z])/g,
    owner: 'addressed',
    canBeQuestion: true,
    isTask,
  },
  { pattern: /@, you're (?:on the hook for|responsible for|in charge of) /g, owner: 'addressed' },
  {
    pattern:
      /(?:^|[,;:] |\b(?:and|so|then|also|but) )please(?: (?:also|just|then)){0,2} (?=[a-z])/g,
    owner: 'addressed',
    isTask: isAssignedTask,
  },
  {
    pattern: /(?:^|^(?:and|so|then|okay|ok|right|now),? )@+, (?:then |also |just )?(?=[a-z])/g,
    owner: 'addressed',
    isTask: isTaskPhrase,
  },
  {
    pattern:
      /\b(?:someone|somebody)(?: has to| needs to| should| must|'ll have to) (?:also )?(?=[a-z])/g,
    owner: 'nobody',
    isTask,
  },
  {
    pattern: /\blet(?:'s| us)(?: (?:also|just|then|all|please|definitely)){0,2} (?=[a-z])/g,
    owner: 'nobody',
    isTask: (words) => isJointTaskPhrase(words) || /^put (?:up )?(?:a|the) .*\bby\b/.test(words),
  },
]

/** True if the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
export function isEnglishTaskRuledOut(before: string, matchAndAfter: string): boolean {
  return (
    hasNegationOrConditionBeforeMatch(before) ||
    /\b(?:would have|could have|not|don't(?! forget)|never)\b/.test(matchAndAfter.slice(0, 30)) ||
    (hasConditionWord(matchAndAfter) && !INQUIRY.test(matchAndAfter))
  )
}
