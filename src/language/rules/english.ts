import { dateRule, type DateLanguage } from '../due-date.ts'
import { ENGLISH_ACTION_FORMS, isEnglishTaskRuledOut } from './english-actions.ts'
import { findStatement, type StatementPatterns } from './english-statements.ts'
import type { LanguageRules } from './language-rules.ts'

const DECISIONS: readonly RegExp[] = [
  /\b(?:we|everyone|everybody|the (?:team|board|group|committee))(?:'ve|'s)?(?: (?:have|has|all|both|just|now|finally|then|also|therefore)){0,3} (?:decided|agreed|concluded|settled) (?:to|that|on|upon|not|against|we|we'll|we're|it|it's|the|this|for)\b/i,
  /\bi(?:'ve)?(?: (?:have|just|now|finally|also|therefore)){0,3} decided (?:to|that|on|upon|not|against|we|we'll|we're)\b/i,
  /\b(?:it's|it is|that's|that is)(?: (?:now|then|all|finally|hereby)){0,2} (?:decided|agreed|settled)\b/i,
  /\b(?:the|our)(?: final)? decision(?: is|:) (?:to|that|we|we'll)\b/i,
  // Decisions about what belongs to a release, sprint or budget.
  /\b(?:let's|let us)(?: (?:just|then|all|definitely|now|please)){0,2} (?:leave|keep|put|move|push)(?: [\w'-]{1,30}){1,4} (?:out of|in|into|to) (?:the|this|that|our)(?: [\w-]{1,20})? (?:release|version|sprint|iteration|scope|phase|backlog|roadmap|budget)\b/i,
  /\b(?:let's|let us|we'll|we will|we're|we are)(?: (?:just|then|all|definitely|now|going to)){0,2} (?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on) (?!(?:you|him|her|them|me|us|it all)\b)\w/i,
]

/** Words that place the decision at an earlier time, so it is not a new decision. */
const OTHER_TIME =
  /\b(?:yesterday|ago|previously|originally|back (?:then|in|when)|earlier (?:today|this|on|in)|last (?:week|month|year|quarter|time|night|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday)|in (?:19|20)\d\d|at the time|once we|when we)\b/i
const NOTHING = /\b(?:to disagree|to nothing|on nothing|nothing yet)\b/i

/** Statements of a decision that are certain enough for the coach to report them during a meeting. */
export const CERTAIN_DECISION: StatementPatterns = {
  stated: DECISIONS,
  isExcluded: (sentence: string) => OTHER_TIME.test(sentence) || NOTHING.test(sentence),
}

/** Decisions that the coach does not report, because they are too uncertain during a meeting. */
const FURTHER_DECISIONS: readonly RegExp[] = [
  /\b(?:that's|that is|it's|it is|is)(?: (?:now|then|all|finally|hereby)){0,2} (?:decided|agreed|settled|approved|final|a deal)\b/,
  /^(?:(?:okay|ok|alright|all right|so|then|good|great|fine|right|well|yes|perfect)[ ,.]*){1,3}(?:then )?(?:we'll|we will|we're|we are|we) (?:just |then |all )?(?:take|taking|keep|keeping|drop|dropping|skip|skipping|cancel|cancelling|postpone|postponing|stay|staying|choose|choosing|use|using|ship|shipping|go for|going for) /,
  /\bwe'll (?:take|keep|drop|skip|cancel|postpone|choose|use|stay with) .{1,80}\bthen\b/,
  /\b(?:let's|let us) (?:not .{1,60} then|just do (?:it|that)|do (?:it|that) then|(?:postpone|cancel|drop|scrap|abandon|delay) (?!off|by)\w)/,
  /\bfrom now on,? (?:we|the|all|every|no)\b/,
  /^(?:(?:okay|ok|alright|all right|so|good|great|fine|right|well|yes|perfect)[ ,.]*){0,3}(?:decided|settled|sorted|agreed|approved|deal|done deal)(?:,? (?:then|so)\b|,? we\b)/,
  // "Blue it is."
  /^(?:(?:okay|ok|alright|so|then|good|great|fine|right)[ ,.]*){0,3}(?!(?:what|how|as|so|yes|yeah|yep|no|that|where|who|when|why|maybe|i|think|here|there|well|sure|because|than|if|though|whether|indeed|of|like|and|but|or|it)\b)(?:[\w'-]{1,30} ){1,4}it is(?:,? then)?[.!]?$/,
  /\b(?:the|our) (?:decision|conclusion) is\b/,
]
const NO_DECISION =
  /\b(?:if|unless|whether|maybe|perhaps|might|could|would|should|not sure|thought|said|at that point|last (?:week|month|year|time|night)|yesterday|ago|haven't|hasn't|not yet)\b|\bis it\b/

const weekdays = 'mondays? tuesdays? wednesdays? thursdays? fridays? saturdays? sundays?'.split(' ')
const months =
  'january|jan february|feb march april|apr may june|jun july|jul august|aug september|sept? october|oct november|nov december|dec'.split(
    ' ',
  )
const numbers: Record<string, number> = Object.fromEntries([
  ...'a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 fourteen=14'
    .split(' ')
    .map((pair) => pair.split('='))
    .map(([word = '', value]) => [word, Number(value)]),
  ['a couple of', 2],
  ...(
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
    'sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth ' +
    'twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'
  )
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
])

const DAY = '(?<weekday>mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)'
const MONTH = `(?<month>${months.join('|')})`
const NTH = Object.keys(numbers)
  .filter((word) => /(?:st|nd|rd|th)$/.test(word))
  .toReversed()
  .join('|')
const BEFORE = '(?:(?:by|until|till|before|on|for|no later than) )?(?:the )?'
const DEADLINE = '(?:by|until|till|before|on|no later than|due)'
/** A day in the past or a repeated day is not a due date. */
const NOT_DUE = '(?<!\\b(?:from|last|since|every|each|of|than|past|previous|this past) )'

export const ENGLISH_DATES: DateLanguage = {
  weekdays,
  months,
  numbers,
  units: [
    { beginning: 'day', days: 1 },
    { beginning: 'week', days: 7 },
    { beginning: 'fortnight', days: 14 },
    { beginning: 'month', days: null },
  ],
  rules: [
    dateRule(
      'days',
      /\b(?:by |before |until |at )?(?:the )?(?:end|close) of (?:the )?(?:day|today|business)\b|\b(?:by )?(?:eod|cob)\b/g,
      0,
    ),
    dateRule('endOfWeek', /\b(?:by |before |until |at )?(?:the )?end of next week\b/g, 1),
    dateRule(
      'endOfWeek',
      /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?week\b|\b(?:by )?eow\b|\bbefore the weekend\b/g,
    ),
    dateRule('endOfMonth', /\b(?:by |before |until |at )?(?:the )?end of next month\b/g, 1),
    dateRule('endOfMonth', /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?month\b/g),
    dateRule('endOfYear', /\b(?:by |before |until |at )?(?:the )?end of (?:the |this )?year\b/g),
    dateRule('days', /\b(?:by |until |before )?the day after tomorrow\b/g, 2),
    dateRule(
      'days',
      /\b(?:by |until |before )?tomorrow(?: (?:morning|afternoon|evening|night|noon))?\b/g,
      1,
    ),
    dateRule(
      'days',
      /\b(?:by |until |before )?(?:later )?(?:today|tonight|this (?:morning|afternoon|evening)|(?:right )?after (?:this|the) (?:meeting|call))\b|\bright now\b|\bby noon\b/g,
      0,
    ),
    dateRule('monthDay', `\\b${BEFORE}${nthOf(NTH)}${MONTH}\\b`),
    dateRule(
      'monthDay',
      `\\b${BEFORE}${MONTH} (?:the )?(?<day>\\d{1,2}(?:st|nd|rd|th)?|${NTH})\\b(?!:)`,
    ),
    dateRule('nextWeekday', `\\b${BEFORE}${NOT_DUE}next ${DAY}\\b`),
    dateRule('nextWeekday', `\\b${BEFORE}${NOT_DUE}${DAY} next week\\b`),
    dateRule('thisWeekday', `\\b${BEFORE}${NOT_DUE}this (?:coming )?${DAY}\\b`),
    dateRule('weekday', `\\b${BEFORE}${NOT_DUE}${DAY}\\b`),
    dateRule('endOfWeek', /\b(?:by |before )?next week\b/g, 1),
    dateRule('endOfWeek', /\b(?:by |before |later )?this week\b/g),
    dateRule('endOfMonth', /\b(?:by |before )?next month\b/g, 1),
    dateRule('endOfMonth', /\b(?:by |before |later )?this month\b/g),
    dateRule(
      'inUnits',
      /\b(?:in|within) (?:the next )?(?<count>\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|fourteen) (?<unit>days?|weeks?|fortnights?|months?)\b/g,
    ),
    dateRule('dayOfMonth', `\\b${DEADLINE} the (?<day>\\d{1,2}(?:st|nd|rd|th)|${NTH})\\b`),
  ],
}

export const ENGLISH: LanguageRules = {
  actionForms: ENGLISH_ACTION_FORMS,
  isRuledOut: isEnglishTaskRuledOut,
  isDecision: (folded) =>
    findStatement(folded, CERTAIN_DECISION) !== null ||
    (FURTHER_DECISIONS.some((pattern) => pattern.test(folded)) && !NO_DECISION.test(folded)),
  agreementQuestion:
    /^(?:(?:so|ok|okay|and|is|are|everyone|everybody|all|we|we're|does|that|with|happy|fine|good|works?|for) ?){0,6}(?:agreed|okay|ok|happy with that|fine with that|in agreement|deal|good with that|any objections|objections)(?: (?:everyone|everybody|all|then|with that))?\?$/,
  volunteering:
    /^(?:(?:ok|okay|yes|yeah|sure|fine|alright|well|then|no|so)[ ,.!]*){0,3}(?:i(?:'ll| will| can| could)(?: (?:just|also|gladly|happily))? (?:do|take|handle|own|cover|sort|manage|organi[sz]e|fix) (?:it|that|this|those|them)(?: one| on| out)?|i've got (?:it|that|this)(?: one)?|leave (?:it|that) (?:with|to) me|i'm on it)(?: then| too| myself)?[.!]?$/,
  acceptance:
    /^(?:(?:oh|well|um|uh|ok|okay|yes|yeah|yep|sure|alright|all right|of course|absolutely|fine|no problem|happy to|gladly|certainly|definitely|great|perfect|right)[ ,.!]*){1,3}(?:$|will do|i can|i will|i'll|sure|that's fine|no problem|of course|thing|consider it done|on it|doable|short)|^(?:will do|i can|i'm on it|on it|consider it done|leave it (?:with|to) me|happy to|that's doable|you got it|got it)\b/,
  refusal:
    /\b(?:i can't|i cannot|i can not|i won't|i'd rather not|i don't have (?:the )?time|not me|impossible|no way|i'm afraid not|count me out)\b/,
  openPoint:
    /\b(?:open question|open point|(?:we|i|nobody|no one)(?: (?:still|really|actually|honestly))? (?:don't|doesn't|do not|does not|knows?)(?: (?:know|yet|really))* yet\b|(?:it's|it is|that's|that is|is) (?:still )?(?:unclear|undecided|to be decided|tbd|not clear yet)|(?:we )?still (?:need|have) to (?:find out|figure out|clarify|decide|work out)|remains? (?:unclear|to be seen)|(?:questions?|points?|issues?|matters?|topics?|items?|date|price|it|this|that|which)(?: (?:is|are) still|(?: still)? remains?) open)\b/,
  nonAnswer:
    /^(?:(?:hm+|uh|um|well|oh|okay|ok|right|so|sorry|honestly)[ ,.!]*){0,3}(?:(?:that's )?(?:a )?(?:very )?(?:good|great|excellent) (?:question|point)|no (?:idea|clue)|(?:i|we) (?:honestly |really |actually |just )?(?:don't|do not|wouldn't|can't) (?:know|say|remember)|i'd have to (?:ask|check|look)|i(?:'ll| will) (?:have to )?(?:check|find out|ask|look)|i'm not sure|not sure|let me (?:think|check|ask)|that's a question for|i assume so, but|hard to say|we'll see|who knows|we leave that|let's (?:park|come back)|we don't know|maybe[.!]?$|i(?:'d| would) have to)(?!\w)/,
  topicChange:
    /^(?:(?:okay|ok|right|alright|so|well|good|great|and|thanks|thank you|lovely|super)[ ,.!]*){0,3}(?:one more thing|another thing|next(?: (?:point|topic|item|one|up|thing|is)|[:,.])|moving on|let's move on|anyway|last (?:point|thing|topic|item)|the last (?:point|thing|topic)|now,? (?:the|to|for)|first (?:thing|point|topic)|second (?:thing|point|topic)|let's talk about)\b/,
  socialQuestion:
    /\b(?:(?:can|could|do) (?:you|everyone|everybody|anyone|we) (?:all |both )?(?:hear|see)|how are you|how's it going|are you (?:there|still there|on mute)|you (?:know|see)\?|(?:anything|something|anyone|any) else|(?:any|no more) (?:other )?(?:questions|objections|comments|thoughts)|shall we (?:start|begin)|ready\?|(?:members|committee|everyone|everybody) (?:content|agreed|happy)\b|what did i miss|does that make sense|is that (?:okay|ok|fine|clear)(?: (?:with|for) (?:you|everyone|everybody|all))?\?|sounds good|can i (?:ask|say|propose|just)|mind repeating|may i|are we (?:all )?(?:here|ready)|better now|do you want to start|isn't it|aren't (?:we|you|they))(?!\w)/,
  smallTalk:
    /\b(?:good (?:morning|afternoon|evening)|hello|hi (?:all|everyone|everybody|there)|thank|thanks|bye|see you|talk to you|have a (?:nice|good|great)|how are you|sorry i'm late|(?:can|could) (?:you|everyone|everybody|anyone) (?:all )?(?:hear|see)|please proceed|wanted to ask|be (?:very |absolutely )?clear|repeat(?:ing)? (?:that|it)|you have the floor|share my screen|on mute|muted|be right back|let's (?:get going|start|begin|move on|stop)|nice to (?:meet|see)|welcome)\b/,
  dates: ENGLISH_DATES,
}

/** "3rd of May", "third of May", "3 May". */
function nthOf(nth: string): string {
  return `(?<day>\\d{1,2}(?:st|nd|rd|th)?|${nth}) (?:of )?`
}
