import {
  hasConditionWord,
  hasNegationOrConditionBeforeMatch,
  isDoneInMeeting,
  isJointTaskPhrase,
  isRequestedTaskPhrase,
  isTaskPhrase,
  listBaseFormsOfIngPhrase,
  startsWithInquiryVerb,
} from '../../../coach/rules/english-patterns.ts'
import type { ActionForm } from './language-rules.ts'
import { globalPattern, WHO } from './verb-forms.ts'

/** Tasks that the coach does not report during a meeting, because it keeps its list short on purpose. */
const FURTHER_TASKS =
  /^(?:run (?!out|late|over)|proofread|make (?:the|a|an|some|it|sure)|bring (?:the|a|some|you|two|three)|take (?:over|it|that|this|the|care|on) ?(?!easy|from here)|tell (?:the|them|him|her|everyone|everybody|@)|connect|repair|clean|pack|train|reserve|phone|switch (?:it |the |that )?off|turn (?:it |the |that )?off|put (?:the|a|up|it|them|this|that)|get (?:two|three|four|some|a few|a|an|the)|speak|chase|collect|do (?:it|that|this|the)|find|ring|pay|give (?:her|him|them|@)|write|apologi[sz]e|look (?:up|into)|renew|extend|close the|open (?:a|the) (?:ticket|issue|account)|raise (?:a|the)|log (?:a|the)|negotiate|interview|walk|feed|record|move (?:the|it|them|that|this|our)|copy|restore|back up|monitor|track|tidy|fill|hand|drop|carry|cover|host|lead|loop|have (?:it|that|this|them|the [a-z]+) (?:ready|done|finished)|present (?:it|the|this) (?:to|on|at|next))\b/
/** Phrases that look like tasks but are figures of speech, or are done during the meeting. */
const NO_TASKS =
  /^(?:walk (?:you|us|everyone|everybody) through|raise (?:a|one|another|my) (?:point|question|concern|hand)|cover the (?:first|second|next|last|basics|details)|finish (?:the|my|this|that) (?:thought|sentence|point)|share (?:an?|one|some) (?:story|thoughts?|ideas?|examples?|experiences?)|summari[sz]e (?:the discussion|what|quickly)|take (?:it (?:easy|from)|that (?:back|as)|the (?:blame|point|hit)|a)|make (?:it (?:short|quick|brief)|(?:a|the|some|our) (?:point|note of|decisions?|guess|case)|sense)|do (?:it|that|this) (?:now|again)$|tell you|give (?:it|you|me|us) |put (?:it|that) (?:this|that|differently|another)|find (?:it|that) (?:hard|strange|odd|funny)|speak (?:up|slowly)|move on|move to the|get (?:a|an|the|some) (?:coffee|drink|water|door|feeling|idea|impression)|close the door|open (?:the|a) (?:window|door)|cover (?:that|this) (?:later|in a)|run through|look at|write (?:that|it) down|record this|record the (?:call|meeting)|record (?:now|today)|lead (?:to|with)|present (?:now|today)|carry on|drop (?:off|out)|hand (?:it|you|over to)|share (?:my|our) (?:time|screen)|work (?:from|remotely)|note\b|join (?:me|us)|feel free|keep in mind|bear with|stop me|correct me|interrupt|go ahead|have a (?:look|seat)|take the time|don't|welcome|ask (?:the|a|one|another) question)|^[^,.]{0,60}\bnow\b/

const IN_CHAT = /\bin(?:to)? the (?:meeting )?chat\b/

function isTask(words: string): boolean {
  if (NO_TASKS.test(words) || IN_CHAT.test(words) || isDoneInMeeting(words)) return false
  return isTaskPhrase(words) || FURTHER_TASKS.test(words)
}

/** A verb with an object: "reproduce the bug", "split up the invoice", "answer ticket 12". */
const VERB_WITH_OBJECT =
  /^[a-z][a-z-]{2,}(?: (?:up|out|back|off|over|in|into|on|for|through|down|with|to))? (?:the|an?|our|your|their|all|some|two|three|four|\d+|[a-z]+ \d+)\b/
/** Verbs after "I'll" that are about the call or the speaker, whatever their object is. */
const NO_PROMISED_TASKS = new RegExp(
  `^(?:${[
    'accept|agree|allow|announce|answer|appreciate|attend|back|blame|bore|borrow a|bother|bring up|catch|celebrate|cite|concentrate|consider',
    'chair|count (?:on|to|as)|cover|defer|describe|disagree|display|do|drink|drop|eat|echo|enjoy|enter|excuse|expect|face|fall|fight|focus|forgive|get',
    'give|grab|guess|hand|hang|hate|head|highlight|hit|hop|hope|hurry|introduce|join|jump|kick|let|lie|list|live|make|mark',
    'mean|mention|minimi[sz]e|miss|note|offer|open|owe|paste|play|point|prefer|pretend|promise|pull|put|question|quote|raise|rather',
    'reach|read (?:it|this|that|the (?:first|next|question|list|agenda|numbers))|recommend|refer|refresh|regret|rejoin|reload|remain|rephrase|resist|respect|rest|retire|ride|rush',
    'second|set|share|skip|sleep|spare|spend|stand|stick|suggest|support|suppose|survive|switch|take|think|throw|touch|trust|type',
    'use|vote|walk|warn|watch|wear|welcome|wish|wonder|work|worry',
  ].join('|')})\\b`,
)
/** Objects that belong to the call. */
const IN_CALL =
  /^[a-z-]+(?: [a-z]{2,7})? the (?:meeting|call|discussion|browser|window|tab|thought|question|point)\b/
const CLOSES_A_CASE =
  /^close (?:the |that |this |both )?(?:tickets?|issues?|bugs?|cases?|orders?|accounts?|deal)\b/

/** After "I'll", any other verb with an object is a promise too. */
function isPromisedTask(words: string): boolean {
  if (isTask(words) || CLOSES_A_CASE.test(words)) return true
  if (NO_TASKS.test(words) || NO_PROMISED_TASKS.test(words) || IN_CALL.test(words)) return false
  return VERB_WITH_OBJECT.test(words) && isRequestedTaskPhrase(words)
}

function isJointTask(words: string): boolean {
  return isTask(words) && isJointTaskPhrase(words)
}

function isAssignedTask(words: string): boolean {
  if (NO_TASKS.test(words) || /^(?:probably|possibly|likely|hopefully|surely)\b/.test(words))
    return false
  return isTask(words) || isRequestedTaskPhrase(words)
}

const ADVERBS =
  '(?: (?:also|just|then|definitely|certainly|personally|quickly|gladly|happily|go ahead and|try to|try and|have to|need to|now)){0,3}'
const WILL = "(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)"

export const ENGLISH_ACTION_FORMS: readonly ActionForm[] = [
  {
    pattern: /\baction items?(?: for (?<who>@+))?(?: is|:) (?:to )?(?=[a-z@])/dg,
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
    isTask,
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

/** "Ben updates the forecast": the verb names a task without its ending. */
function isThirdPersonTask(words: string): boolean {
  const bases = [words.replace(/^([a-z]+)s\b/, '$1'), words.replace(/^([a-z]+)es\b/, '$1')]
  return bases.some((base) => base !== words && isTaskPhrase(base))
}

function isIngTask(words: string): boolean {
  const bases = listBaseFormsOfIngPhrase(words)
  return bases.some(isTask) && !bases.some((base) => NO_TASKS.test(base))
}

/** True if the words around a match make it negated, doubtful, conditional, reported, habitual or small talk. */
export function isEnglishTaskRuledOut(before: string, matchAndAfter: string): boolean {
  return (
    hasNegationOrConditionBeforeMatch(before) ||
    /\b(?:would have|could have|not|don't(?! forget)|never)\b/.test(matchAndAfter.slice(0, 30)) ||
    (hasConditionWord(matchAndAfter) && !containsInquiry(matchAndAfter))
  )
}

/** "I'll check if the server is up": here the condition is part of the task. */
function containsInquiry(matchAndAfter: string): boolean {
  const verbs =
    /\b(?:check|double-check|see|ask|verify|find|look|test|confirm|let|figure|investigate)\b.*/.exec(
      matchAndAfter,
    )
  return verbs !== null && startsWithInquiryVerb(verbs[0])
}
