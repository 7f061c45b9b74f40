import { findDecision } from '../../../coach/rules/decision.ts'
import { ENGLISH_DATES } from '../dates/english-dates.ts'
import { ENGLISH_ACTION_FORMS, isEnglishTaskRuledOut } from './english-actions.ts'
import type { LanguageRules } from './language-rules.ts'

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
  actionForms: ENGLISH_ACTION_FORMS,
  isRuledOut: isEnglishTaskRuledOut,
  isDecision: (folded) =>
    findDecision(folded) !== null ||
    (FURTHER_DECISIONS.some((pattern) => pattern.test(folded)) && !NO_DECISION.test(folded)),
  agreementQuestion:
    /^(?:(?:so|ok|okay|and|is|are|everyone|everybody|all|we|we're|does|that|with|happy|fine|good|works?|for) ?){0,6}(?:agreed|okay|ok|happy with that|fine with that|in agreement|deal|good with that|any objections|objections)(?: (?:everyone|everybody|all|then|with that))?\?$/,
  volunteering:
    /^(?:(?:ok|okay|yes|yeah|sure|fine|alright|well|then|no|so)[ ,.!]*){0,3}(?:i can do (?:that|it|this)|i(?:'ll| will) (?:just )?(?:do|take|handle|own) (?:it|that|this)(?: one| on)?|leave (?:it|that) (?:with|to) me|i'm on it)(?: then| too| myself)?[.!]?$/,
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
