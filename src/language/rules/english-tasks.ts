/** The first words of tasks that people promise or ask for. Most other verbs after "I'll" promise nothing. */
const TASK = startingWith([
  'send|resend|write|rewrite|prepare|check|double-check|review|update|fix|create|call|phone|email|mail|ask',
  'schedule|reschedule|book|arrange|organi[sz]e|share|finish|complete|deliver|draft|file|post|publish|push',
  'merge|deploy|test|investigate|contact|order|buy|pay|submit|sign|upload|add|remove|delete|change|rename',
  'handle|own|document|research|confirm|verify|invite|notify|inform|provide|build|rebuild|implement|ship',
  'release|compile|collect|gather|circulate|forward|plan|propose|ping|message|report|revise',
  'translate|migrate|install|configure|transfer|assign|approve|analy[sz]e|measure|estimate|evaluate',
  'compare|sync|hire|postpone|cancel|announce|summari[sz]e|print|refactor|reply|respond|design',
  'set \\w+ up|set up|follow(?: |-)up|look (?:into|after|for)|find (?:out|someone|a|the)|figure out|sort (?:it|this|that|out)',
  'reach out|work on|put \\w+ together|put together|take (?:care|over|charge|this on|that on|it on)|make sure',
  'get (?:back to|in touch|it|this|that|you|the|someone|approval|access|quotes)|circle back|come back to you',
  '(?:give|grant) (?:\\w+ )?(?:access|permissions?|rights)',
  'talk (?:to|with)|speak (?:to|with)|write up|clean up|roll out|hand over|pick up (?!where|on)\\w+|bring \\w+ up to date',
  'let (?:you|them|him|her|everyone|everybody|people) know|run (?:it|this|that) by|move the|do (?:it|that|this) (?:by|before|today|tomorrow|tonight)',
])

/** Phrases that begin like a task but are not one: they are done during the meeting, or are figures of speech. */
const DONE_IN_MEETING = startingWith([
  '(?:share|present|show) (?:my|your|the|a) screen|add (?:that|one|to that|something|just|on)|ask (?:a|one|you|this|that|the question)',
  'get (?:it|this|that) (?:now|wrong|right)|get (?:you\\b(?! (?:the|a|an))|to|there|it$)|let you know what|check (?:my|the) (?:notes|chat|time)',
  'call (?:it|on)|change (?:the )?(?:subject|topic)|present (?:now|this|today)|own (?:it|up)|repeat|own that|test (?:my|the) (?:mic|audio|sound)',
])

/** Verbs that do not name a task, even with a deadline. */
const NO_TASK_VERBS = startingWith([
  'be|have|see|know|mind|say|need|want|think|admit|go|come|leave|like|love|miss|feel|wait|bet|assume|stop|tell',
  'decide|not|never|still|always|only|hear|believe|remember|imagine|continue|start|begin|move on|talk|discuss|take a',
  'meet you|look at|lose|win|grow|run out|become|get (?:to|there)|hold|pause|pass|try|end|close|break|stay|keep',
  'repeat|mute|unmute|explain|elaborate|clarify|turn|scroll|zoom|speak|show|give me|give us|remind me|remind us|excuse',
])

const WEEKDAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const DEADLINE = new RegExp(
  `\\b(?:by|until|before|on|till) (?:the )?(?:end of|close of|eod|eow|cob|${WEEKDAYS}|tomorrow|tonight|noon|midnight|next|\\d)|\\b(?:tomorrow|tonight|asap|this (?:week|afternoon|evening)|later today|next (?:week|month|quarter|${WEEKDAYS})|(?:right )?after (?:this|the) (?:meeting|call))\\b`,
  'i',
)

/** Verbs that, after "let's", mean the next minutes of the meeting, unless a deadline is named. */
const DONE_TOGETHER_NOW = startingWith([
  'check|review|present|compare|add|change|share|look|find|figure|talk|speak|call|move|take|get|pick|do|work|sync|record|sign|measure|summari[sz]e|sort|handle',
])

/** Further words of tasks, in lower case. */
const FURTHER_TASKS =
  /^(?:run (?!out|late|over)|proofread|make (?:the|a|an|some|it|sure)|bring (?:the|a|some|you|two|three)|take (?:over|it|that|this|the|care|on) ?(?!easy|from here)|tell (?:the|them|him|her|everyone|everybody|@)|connect|repair|clean|pack|train|reserve|phone|switch (?:it |the |that )?off|turn (?:it |the |that )?off|put (?:the|a|up|it|them|this|that)|get (?:two|three|four|some|a few|a|an|the)|speak|chase|collect|do (?:it|that|this|the)|find|ring|pay|give (?:her|him|them|@)|write|apologi[sz]e|look (?:up|into)|renew|extend|close the|open (?:a|the) (?:ticket|issue|account)|raise (?:a|the)|log (?:a|the)|negotiate|interview|walk|feed|record|move (?:the|it|them|that|this|our)|copy|restore|back up|monitor|track|tidy|fill|hand|drop|carry|cover|host|lead|loop|have (?:it|that|this|them|the [a-z]+) (?:ready|done|finished)|present (?:it|the|this) (?:to|on|at|next))\b/
/** Phrases that look like tasks but are figures of speech, or are done during the meeting. */
const NO_TASK_PHRASES =
  /^(?:walk (?:you|us|everyone|everybody) through|raise (?:a|one|another|my) (?:point|question|concern|hand)|cover the (?:first|second|next|last|basics|details)|finish (?:the|my|this|that) (?:thought|sentence|point)|share (?:an?|one|some) (?:story|thoughts?|ideas?|examples?|experiences?)|summari[sz]e (?:the discussion|what|quickly)|take (?:it (?:easy|from)|that (?:back|as)|the (?:blame|point|hit)|a)|make (?:it (?:short|quick|brief)|(?:a|the|some|our) (?:point|note of|decisions?|guess|case)|sense)|do (?:it|that|this) (?:now|again)$|tell you|give (?:it|you|me|us) (?!access|permissions?|rights)|put (?:it|that) (?:this|that|differently|another)|find (?:it|that) (?:hard|strange|odd|funny)|speak (?:up|slowly)|move on|move to the|get (?:a|an|the|some) (?:coffee|drink|water|door|feeling|idea|impression)|close the door|open (?:the|a) (?:window|door)|cover (?:that|this) (?:later|in a)|run through|look at|write (?:that|it) down|record this|record the (?:call|meeting)|record (?:now|today)|lead (?:to|with)|present (?:now|today)|carry on|drop (?:off|out)|hand (?:it|you|over to)|share (?:my|our) (?:time|screen)|work (?:from|remotely)|note\b|join (?:me|us)|feel free|keep in mind|bear with|stop me|correct me|interrupt|go ahead|have a (?:look|seat)|take the time|remind (?:the|my|our|you) (?:[a-z.]+ ){1,3}(?:that|of)\b|inform (?:the|my) (?:hon|member|house)|assure\b|don't|welcome|ask (?:the|a|one|another) question)|^[^,.]{0,60}\bnow\b/

const IN_CHAT = /\bin(?:to)? the (?:meeting )?chat\b/

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

/** True if the words after "I'll" or "can you" name something to do after the meeting. */
export function isTaskPhrase(words: string): boolean {
  if (DONE_IN_MEETING.test(words)) return false
  return TASK.test(words) || (DEADLINE.test(words) && !NO_TASK_VERBS.test(words))
}

/** Like `isTaskPhrase`, with further verbs, and without figures of speech. */
export function isTask(words: string): boolean {
  if (NO_TASK_PHRASES.test(words) || IN_CHAT.test(words) || DONE_IN_MEETING.test(words))
    return false
  return isTaskPhrase(words) || FURTHER_TASKS.test(words)
}

/** True if the words in a sentence with "please" name a task. More verbs are accepted than in `isTaskPhrase`. */
function isRequestedTaskPhrase(words: string): boolean {
  return isTaskPhrase(words) || !(DONE_IN_MEETING.test(words) || NO_TASK_VERBS.test(words))
}

export function isJointTaskPhrase(words: string): boolean {
  return isTaskPhrase(words) && (!DONE_TOGETHER_NOW.test(words) || DEADLINE.test(words))
}

/** After "I'll", any other verb with an object is a promise too. */
export function isPromisedTask(words: string): boolean {
  if (isTask(words) || CLOSES_A_CASE.test(words)) return true
  if (NO_TASK_PHRASES.test(words) || NO_PROMISED_TASKS.test(words) || IN_CALL.test(words))
    return false
  return VERB_WITH_OBJECT.test(words) && isRequestedTaskPhrase(words)
}

export function isJointTask(words: string): boolean {
  return isTask(words) && isJointTaskPhrase(words)
}

export function isAssignedTask(words: string): boolean {
  if (NO_TASK_PHRASES.test(words) || /^(?:probably|possibly|likely|hopefully|surely)\b/.test(words))
    return false
  return isTask(words) || isRequestedTaskPhrase(words)
}

/** "Ben updates the forecast": the verb names a task without its ending. */
export function isThirdPersonTask(words: string): boolean {
  const bases = [words.replace(/^([a-z]+)s\b/, '$1'), words.replace(/^([a-z]+)es\b/, '$1')]
  return bases.some((base) => base !== words && isTaskPhrase(base))
}

export function isIngTask(words: string): boolean {
  const bases = listBaseFormsOfIngPhrase(words)
  return bases.some(isTask) && !bases.some((base) => NO_TASK_PHRASES.test(base))
}

/** The possible base forms of a leading verb that ends in -ing, as in "be sending" or "mind checking". */
function listBaseFormsOfIngPhrase(words: string): string[] {
  const [, stem, rest] = /^([a-z-]{2,20})ing\b(.*)$/is.exec(words) ?? []
  if (stem === undefined || rest === undefined) return []
  return [stem, `${stem}e`, stem.slice(0, -1)].map((verb) => verb + rest)
}

function startingWith(alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join('|')})\\b`, 'i')
}
