import { findDecision } from '../../../coach/rules/decision.ts'
import {
  hasConditionWord,
  hasNegationOrConditionBeforeMatch,
} from '../../../coach/rules/english-patterns.ts'
import {
  isDoneInMeeting,
  isJointTaskPhrase,
  isRequestedTaskPhrase,
  isTaskPhrase,
  listBaseFormsOfIngPhrase,
  startsWithInquiryVerb,
} from '../../../coach/rules/task-phrases.ts'
import { ENGLISH_DATES } from '../dates/english-dates.ts'
import type { ActionForm, LanguageRules } from './language-rules.ts'
import { globalPattern, WHO } from './verb-forms.ts'

/** Tasks that the coach does not report during a meeting, because its list is kept short on purpose. */
const FURTHER_TASKS =
  /^(?:run (?!out|late|over)|proofread|make (?:the|a|an|some|it|sure)|bring (?:the|a|some|you|two|three)|take (?:over|it|that|this|the|care|on) ?(?!easy|from here)|tell (?:the|them|him|her|everyone|everybody|@)|connect|repair|clean|pack|train|reserve|phone|switch (?:it |the |that )?off|turn (?:it |the |that )?off|put (?:the|a|up|it|them|this|that)|get (?:two|three|four|some|a few|a|an|the)|speak|chase|collect|do (?:it|that|this|the)|find|ring|pay|give (?:her|him|them|@)|write|apologi[sz]e|look (?:up|into)|renew|extend|close the|open (?:a|the) (?:ticket|issue|account)|raise (?:a|the)|log (?:a|the)|negotiate|interview|walk|feed|record|move (?:the|it|them|that|this|our)|copy|restore|back up|monitor|track|tidy|fill|hand|drop|carry|cover|host|lead|present (?:it|the|this) (?:to|on|at|next))\b/
/** Phrases that look like tasks and are figures of speech, or happen in the meeting. */
const NO_TASKS =
  /^(?:take (?:it (?:easy|from)|that (?:back|as)|a)|make (?:it (?:short|quick|brief)|(?:a|the|some|our) (?:point|note of|decisions?|guess|case)|sense)|do (?:it|that|this) (?:now|again)$|tell you|give (?:it|you|me|us) |put (?:it|that) (?:this|that|differently|another)|find (?:it|that) (?:hard|strange|odd|funny)|speak (?:up|slowly)|move on|move to the|get (?:a|an|the|some) (?:coffee|drink|water|door|feeling|idea|impression)|close the door|open (?:the|a) (?:window|door)|cover (?:that|this) (?:later|in a)|run through|look at|write (?:that|it) down|record this|record the (?:call|meeting)|record (?:now|today)|lead (?:to|with)|present (?:now|today)|carry on|drop (?:off|out)|hand (?:it|you|over to)|share (?:my|our) (?:time|screen)|note\b|join (?:me|us)|feel free|keep in mind|bear with|stop me|correct me|interrupt|go ahead|have a (?:look|seat)|take the time|don't|welcome|ask (?:the|a|one|another) question)|^[^,.]{0,60}\bnow\b/

function isTask(words: string): boolean {
  if (NO_TASKS.test(words) || isDoneInMeeting(words)) return false
  return isTaskPhrase(words) || FURTHER_TASKS.test(words)
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

const FORMS: readonly ActionForm[] = [
  {
    pattern: /\baction items?(?: for (?<who>@+))?(?: is|:) (?:to )?(?=[a-z@])/g,
    owner: 'named',
    isTask: (words) => !/^(?:not|none|done|there|nothing)\b/.test(words),
  },
  {
    pattern: globalPattern(`\\bi${WILL}${ADVERBS} be (?=[a-z]+ing)`),
    owner: 'speaker',
    isTask: isIngTask,
  },
  { pattern: globalPattern(`\\bi${WILL}${ADVERBS} (?=[a-z])`), owner: 'speaker', isTask },
  // "We will" often announces what comes next in the meeting, so fewer verbs count.
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

function isIngTask(words: string): boolean {
  return listBaseFormsOfIngPhrase(words).some(isTask)
}

/** Decisions that the coach does not report, because during a meeting they are too uncertain. */
const FURTHER_DECISIONS: readonly RegExp[] = [
  /\b(?:that's|that is|it's|it is|is)(?: (?:now|then|all|finally|hereby)){0,2} (?:decided|agreed|settled|approved|final|a deal)\b/,
  /^(?:(?:okay|ok|alright|all right|so|then|good|great|fine|right|well|yes|perfect)[ ,.]*){1,3}(?:then )?(?:we'll|we will|we're|we are|we) (?:just |then |all )?(?:take|taking|keep|keeping|drop|dropping|skip|skipping|cancel|cancelling|postpone|postponing|stay|staying|choose|choosing|use|using|ship|shipping|go for|going for) /,
  /\bwe'll (?:take|keep|drop|skip|cancel|postpone|choose|use|stay with) .{1,80}\bthen\b/,
  /\b(?:let's|let us) (?:not .{1,60} then|just do (?:it|that)|do (?:it|that) then|(?:postpone|cancel|drop|scrap|abandon|delay) (?!off|by)\w)/,
  /\bfrom now on,? (?:we|the|all|every|no)\b/,
  /^(?:agreed|approved|deal|done deal),? (?:then|so|we)\b/,
  /\b(?:the|our) (?:decision|conclusion) is\b/,
]
const NO_DECISION =
  /\b(?:if|unless|whether|maybe|perhaps|might|could|would|should|not sure|thought|said|at that point|last (?:week|month|year|time|night)|yesterday|ago|haven't|hasn't|not yet)\b|\bis it\b/

export const ENGLISH: LanguageRules = {
  actionForms: FORMS,
  isRuledOut: (before, matchAndAfter) =>
    hasNegationOrConditionBeforeMatch(before) ||
    /\b(?:would have|could have|not|don't|never)\b/.test(matchAndAfter.slice(0, 30)) ||
    (hasConditionWord(matchAndAfter) && !containsInquiry(matchAndAfter)),
  isDecision: (folded) =>
    findDecision(folded) !== null ||
    (FURTHER_DECISIONS.some((pattern) => pattern.test(folded)) && !NO_DECISION.test(folded)),
  agreementQuestion:
    /^(?:(?:so|ok|okay|and|is|are|everyone|everybody|all|we|we're|does|that|with|happy|fine|good|works?|for) ?){0,6}(?:agreed|okay|ok|happy with that|fine with that|in agreement|deal|good with that|any objections|objections)(?: (?:everyone|everybody|all|then|with that))?\?$/,
  acceptance:
    /^(?:(?:oh|well|um|uh|ok|okay|yes|yeah|yep|sure|alright|all right|of course|absolutely|fine|no problem|happy to|gladly|certainly|definitely|great|perfect|right)[ ,.!]*){1,3}(?:$|will do|i can|i will|i'll|sure|that's fine|no problem|of course|thing|consider it done|on it|doable|short)|^(?:will do|i can|i'm on it|on it|consider it done|leave it (?:with|to) me|happy to|that's doable|you got it|got it)\b/,
  refusal:
    /\b(?:i can't|i cannot|i can not|i won't|i'd rather not|i don't have (?:the )?time|not me|impossible|no way|i'm afraid not|count me out)\b/,
  openPoint:
    /\b(?:open question|open point|(?:we|i|nobody|no one)(?: (?:still|really|actually|honestly))? (?:don't|doesn't|do not|does not|knows?)(?: (?:know|yet|really))* yet\b|(?:it's|it is|that's|that is|is) (?:still )?(?:unclear|undecided|to be decided|tbd|not clear yet)|(?:we )?still (?:need|have) to (?:find out|figure out|clarify|decide|work out)|remains? (?:open|unclear|to be seen)|is still open)\b/,
  nonAnswer:
    /^(?:(?:hm+|uh|um|well|oh|okay|ok|right|so|sorry|honestly)[ ,.!]*){0,3}(?:(?:that's )?(?:a )?(?:very )?(?:good|great|excellent) (?:question|point)|no (?:idea|clue)|(?:i|we) (?:honestly |really |actually |just )?(?:don't|do not|wouldn't|can't) (?:know|say|remember)|i'd have to (?:ask|check|look)|i(?:'ll| will) (?:have to )?(?:check|find out|ask|look)|i'm not sure|not sure|let me (?:think|check|ask)|that's a question for|i assume so, but|hard to say|we'll see|who knows|we leave that|let's (?:park|come back)|we don't know|maybe[.!]?$|i(?:'d| would) have to)(?!\w)/,
  topicChange:
    /^(?:(?:okay|ok|right|alright|so|well|good|great|and|thanks|thank you|lovely|super)[ ,.!]*){0,3}(?:one more thing|another thing|next(?: (?:point|topic|item|one|up|thing|is)|[:,.])|moving on|let's move on|anyway|last (?:point|thing|topic|item)|the last (?:point|thing|topic)|now,? (?:the|to|for)|first (?:thing|point|topic)|second (?:thing|point|topic)|let's talk about)\b/,
  socialQuestion:
    /\b(?:(?:can|could|do) (?:you|everyone|everybody|anyone|we) (?:all |both )?(?:hear|see)|how are you|how's it going|are you (?:there|still there|on mute)|you (?:know|see)\?|(?:anything|something|anyone|any) else|any (?:other )?(?:questions|objections|comments|thoughts)|shall we (?:start|begin)|ready\?|what did i miss|does that make sense|is that (?:okay|ok|fine|clear)(?: (?:with|for) (?:you|everyone|everybody|all))?\?|sounds good|can i (?:ask|say)|may i|are we (?:all )?(?:here|ready)|better now|do you want to start|isn't it|aren't (?:we|you|they))(?!\w)/,
  smallTalk:
    /\b(?:good (?:morning|afternoon|evening)|hello|hi (?:all|everyone|everybody|there)|thank you|thanks|bye|see you|talk to you|have a (?:nice|good|great)|how are you|sorry i'm late|(?:can|could) (?:you|everyone|everybody|anyone) (?:all )?(?:hear|see)|share my screen|on mute|muted|be right back|let's (?:get going|start|begin|move on|stop)|nice to (?:meet|see)|welcome)\b/,
  dates: ENGLISH_DATES,
}

/** "I'll check if the server is up": the condition word belongs to the task. */
function containsInquiry(matchAndAfter: string): boolean {
  const verbs =
    /\b(?:check|double-check|see|ask|verify|find|look|test|confirm|let|figure|investigate)\b.*/.exec(
      matchAndAfter,
    )
  return verbs !== null && startsWithInquiryVerb(verbs[0])
}
